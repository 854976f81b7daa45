/* N philosophers and N forks, step by step as in philosophers.lf: each d_step is one action. */
#ifndef N
#define N 5
#endif
#define FIRST ((_pid == N - 1) -> 0 : _pid)
#define SECOND ((_pid == N - 1) -> N - 1 : _pid + 1)
bool taken[N];
bool eating[N];

active [N] proctype Philosopher()
{
	bool got;
	skip;
hungry:
	do
	:: d_step { taken[FIRST] -> got = false }
	:: d_step { !taken[FIRST] -> taken[FIRST] = true; got = true }; break
	od;
	do
	:: d_step { taken[SECOND] -> got = false }
	:: d_step { !taken[SECOND] -> taken[SECOND] = true; got = true }; break
	od;
	eating[_pid] = true;
	d_step { assert(!eating[(_pid + 1) % N] && !eating[(_pid + N - 1) % N]); eating[_pid] = false };
	taken[FIRST] = false;
	d_step { taken[SECOND] = false; got = false };
	goto hungry
}
