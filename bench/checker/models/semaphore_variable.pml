/* A semaphore as a variable, and N users, step by step as in semaphore_variable.lf: each d_step is one action. */
#ifndef N
#define N 14
#endif
byte count = 1;
byte inside;

active [N] proctype User()
{
	skip;
	do
	:: d_step { count == 0 -> skip }
	:: d_step { count > 0 -> count--; inside++ };
		d_step { assert(inside == 1); inside-- };
		count++
	od
}
