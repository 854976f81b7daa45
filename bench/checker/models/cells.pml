/* The sieve with one-place buffers, step by step as in cells.lf: each d_step is one action. */
#ifndef LAST
#define LAST 50
#endif
#ifndef FILTERS
#define FILTERS 15
#endif
byte cell[FILTERS + 1];
bool created[FILTERS + 1];

active [FILTERS] proctype Filter()
{
	byte prime, x;
	bool more;
	d_step { created[_pid] -> prime = cell[_pid]; cell[_pid] = 0 };
	do
	:: d_step { x == 0 && cell[_pid] == 0 -> skip }
	:: d_step { x == 0 && cell[_pid] != 0 -> if :: cell[_pid] % prime != 0 -> x = cell[_pid] :: else fi; cell[_pid] = 0 }
	:: d_step {
		x != 0 && cell[_pid + 1] == 0 ->
		cell[_pid + 1] = x; x = 0;
		if :: !more -> more = true; created[_pid + 1] = true :: else fi }
	:: d_step { x != 0 && cell[_pid + 1] != 0 -> skip }
	od
}

active proctype Source()
{
	byte x;
	d_step { cell[0] = 2; created[0] = true; x = 3 };
	do
	:: d_step { cell[0] == 0 && x <= LAST -> cell[0] = x; x++ }
	:: d_step { cell[0] != 0 || x > LAST -> skip }
	od
}
