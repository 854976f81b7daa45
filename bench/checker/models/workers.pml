/* Milner's cyclic scheduler with workers, on channels without room. */
#ifndef N
#define N 6
#endif
mtype = { go, start, done };
chan link[N] = [0] of { mtype };
chan task[N] = [0] of { mtype };

proctype Worker(chan w)
{
end:
	do
	:: w?start; skip; w!done
	od
}

proctype Cell(chan from; chan to; chan w; bool first)
{
	if
	:: first -> to!go
	:: else
	fi;
	do
	:: from?go;
		w!start;
		if
		:: to!go -> w?done
		:: w?done -> to!go
		fi
	od
}

init {
	byte i = 0;
	atomic {
		do
		:: i < N -> run Worker(task[i]); i++
		:: else -> break
		od;
		i = 0;
		do
		:: i < N -> run Cell(link[i], link[(i + 1) % N], task[i], i == N - 1); i++
		:: else -> break
		od
	}
}
