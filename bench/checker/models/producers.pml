/* Two producers, a bounded buffer, one consumer, step by step as in producers.lf: each d_step is one action. */
#ifndef SIZE
#define SIZE 20
#endif
byte cell[SIZE];
byte count;

active [2] proctype Producer()
{
	skip;
	do
	:: d_step { count < SIZE -> cell[count] = _pid; count++ }
	:: d_step { count >= SIZE -> skip }
	od
}

active proctype Consumer()
{
	byte k, x;
	skip;
	do
	:: d_step {
		count > 0 ->
		x = cell[0]; k = 1;
		do :: k < SIZE -> cell[k - 1] = cell[k]; k++ :: else -> break od;
		cell[SIZE - 1] = 0; count--; assert(x <= 1); x = 0; k = 0 }
	:: d_step { count == 0 -> skip }
	od
}
