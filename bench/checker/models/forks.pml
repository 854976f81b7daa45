/* N philosophers, each fork a process, on channels without room; the last philosopher is left-handed. */
#ifndef N
#define N 5
#endif
mtype = { take, put };
chan fork[N] = [0] of { mtype };

active [N] proctype Keeper()
{
end:
	do
	:: fork[_pid]?take; fork[_pid]?put
	od
}

proctype Philosopher(chan first; chan second)
{
	do
	:: first!take; second!take; first!put; second!put
	od
}

init {
	byte i = 0;
	atomic {
		do
		:: i < N - 1 -> run Philosopher(fork[i], fork[i + 1]); i++
		:: else -> break
		od;
		run Philosopher(fork[0], fork[N - 1])
	}
}
