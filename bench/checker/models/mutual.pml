/* Peterson's algorithm for N processes, as one writes it in Promela: who waits is blocked. */
#ifndef N
#define N 3
#endif
byte room[N];
byte last[N];
byte inside;

active [N] proctype User()
{
	byte k, r;
again:
	r = 1;
	do
	:: r < N ->
		room[_pid] = r;
		last[r] = _pid;
		k = 0;
		do
		:: k < N && k == _pid -> k++
		:: k < N && k != _pid -> (room[k] < r || last[r] != _pid); k++
		:: k == N -> break
		od;
		r++
	:: r == N -> break
	od;
	inside++;
	assert(inside == 1);
	inside--;
	room[_pid] = 0;
	goto again
}
