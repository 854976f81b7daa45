/* The sieve of Eratosthenes as a pipeline of processes on channels without room, as one writes it in Promela. */
#ifndef LAST
#define LAST 25
#endif

proctype Filter(chan in)
{
	byte prime, x;
	bool created;
	chan out = [0] of { byte };
	in?prime;
end:
	do
	:: in?x ->
		if
		:: x % prime != 0 ->
			if
			:: !created -> created = true; run Filter(out)
			:: else
			fi;
			out!x
		:: else
		fi
	od
}

init {
	chan first = [0] of { byte };
	byte x = 2;
	run Filter(first);
	do
	:: x <= LAST -> first!x; x++
	:: else -> break
	od
}
