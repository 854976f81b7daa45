/* Leader election in a ring whose links go one way (Dolev, Klawe, Rodeh), as one writes it in Promela: links are channels
 * with room, each with one process that sends and one that receives. */
#ifndef N
#define N 6
#endif
mtype = { one, two, winner };
chan link[N] = [2 * N] of { mtype, byte };
byte leaders;

proctype Node(chan in, out; byte me)
{
	byte max = me, left, n;
	bool active_ = true, knows;
	xr in;
	xs out;
	out!one(me);
	do
	:: in?one(n) ->
		if
		:: !active_ -> out!one(n)
		:: active_ && n != max -> left = n; out!two(n)
		:: active_ && n == max -> assert(n == N); knows = true; out!winner(n)
		fi
	:: in?two(n) ->
		if
		:: !active_ -> out!two(n)
		:: active_ && left > n && left > max -> max = left; out!one(max)
		:: active_ && !(left > n && left > max) -> active_ = false
		fi
	:: in?winner(n) ->
		assert(n == N);
		if
		:: n == me -> leaders++; assert(leaders == 1)
		:: else
		fi;
		if
		:: !knows -> out!winner(n)
		:: else
		fi;
		break
	od
}

init {
	byte i;
	atomic {
		do
		:: i < N -> run Node(link[i], link[(i + 1) % N], N - i); i++
		:: else -> break
		od
	}
}
