/* A bounded buffer as a process between two channels without room, as one writes it in Promela. */
#ifndef SIZE
#define SIZE 20
#endif
#define RANGE 7
chan in = [0] of { byte };
chan out = [0] of { byte };

active proctype Store()
{
	byte cell[SIZE];
	byte first, free, count;
end:
	do
	:: count < SIZE -> in?cell[free]; free = (free + 1) % SIZE; count++
	:: count > 0 -> out!cell[first]; cell[first] = 0; first = (first + 1) % SIZE; count--
	od
}

active proctype Producer()
{
	byte i;
	do :: in!i; i = (i + 1) % RANGE od
}

active proctype Consumer()
{
	byte i, x;
	do :: out?x; assert(x == i); i = (i + 1) % RANGE od
}
