/* Peterson's algorithm for N processes, step by step as in peterson.lf: each d_step is one action. */
#ifndef N
#define N 3
#endif
#define NEXT ((k + 1 == _pid) -> k + 2 : k + 1)
byte room[N];
byte last[N];
byte inside;

active [N] proctype Process()
{
	byte r, k, seen;
	d_step { r = 1; room[_pid] = 1 };
entered:
	if :: d_step { last[r] = _pid } fi;
	d_step { k = (_pid == 0 -> 1 : 0); seen = room[k] };
looked:
	if
	:: d_step { seen < r && NEXT < N -> k = NEXT; seen = room[k] }; goto looked
	:: d_step { seen < r && NEXT >= N && r + 1 < N -> k = NEXT; r++; room[_pid] = r }; goto entered
	:: d_step { seen < r && NEXT >= N && r + 1 >= N -> k = NEXT; r++; inside++ }; goto critical
	:: d_step { seen >= r -> if :: last[r] != _pid -> k = N :: else fi }
	fi;
	if
	:: d_step { k < N -> seen = room[k] }; goto looked
	:: d_step { k >= N && r + 1 < N -> r++; room[_pid] = r }; goto entered
	:: d_step { k >= N && r + 1 >= N -> r++; inside++ }
	fi;
critical:
	if :: d_step { assert(inside == 1); inside--; r = 0; k = 0; seen = 0; room[_pid] = 0 } fi;
	d_step { r = 1; room[_pid] = 1 };
	goto entered
}
