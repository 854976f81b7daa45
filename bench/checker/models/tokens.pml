/* A ring of N places in arrays: who has a token and finds the next place free passes it on, and counts a round. */
#ifndef N
#define N 8
#endif
#ifndef ROUNDS
#define ROUNDS 3
#endif
#define NEXT ((_pid + 1) % N)
bool token[N];
byte round[N];

active [N] proctype Place()
{
	if
	:: _pid % 2 == 0 -> token[_pid] = true
	:: else
	fi;
	do
	:: atomic { token[_pid] && !token[NEXT] -> token[_pid] = false; token[NEXT] = true };
		round[_pid] = (round[_pid] + 1) % ROUNDS
	od
}
