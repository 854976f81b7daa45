/* The sieve of Eratosthenes, step by step as in sieve.lf; the filters lie there from the start. Each d_step is one
 * action. A process that finds no partner waits; who comes later moves the number and clears that. */
#ifndef LAST
#define LAST 25
#endif
#ifndef FILTERS
#define FILTERS 9
#endif
#define SOURCE FILTERS
#define FROM ((_pid == 0) -> SOURCE : _pid - 1)
byte prime[FILTERS + 1], number[FILTERS + 1]; /* the source's number is the last */
byte waits[FILTERS + 1]; /* 1: to receive the prime, 2: to receive a number, 3: to send */
bool created[FILTERS + 1];

inline receive(what)
{
	if
	:: what == 1 && waits[FROM] == 3 -> prime[_pid] = number[FROM]; waits[FROM] = 0
	:: what == 2 && waits[FROM] == 3 -> number[_pid] = number[FROM]; waits[FROM] = 0
	:: else -> waits[_pid] = what
	fi
}


inline send(to)
{
	if
	:: waits[to] == 1 -> prime[to] = number[_pid]; waits[to] = 0
	:: waits[to] == 2 -> number[to] = number[_pid]; waits[to] = 0
	:: else -> waits[_pid] = 3
	fi
}

active [FILTERS] proctype Filter()
{
	d_step { (_pid == 0 || created[_pid]) -> receive(1) };
	d_step { waits[_pid] == 0 -> receive(2) };
	do
	:: d_step { waits[_pid] == 0 && number[_pid] % prime[_pid] == 0 -> receive(2) }
	:: d_step { waits[_pid] == 0 && number[_pid] % prime[_pid] != 0 -> created[_pid + 1] = true; send(_pid + 1) }; break
	od;
sent:
	if :: d_step { waits[_pid] == 0 -> receive(2) } fi;
	do
	:: d_step { waits[_pid] == 0 && number[_pid] % prime[_pid] == 0 -> receive(2) }
	:: d_step { waits[_pid] == 0 && number[_pid] % prime[_pid] != 0 -> send(_pid + 1) }; goto sent
	od
}

active proctype Source()
{
	d_step { number[SOURCE] = 2; send(0) };
	do
	:: d_step { waits[SOURCE] == 0 && number[SOURCE] < LAST -> number[SOURCE]++; send(0) }
	:: d_step { waits[SOURCE] == 0 && number[SOURCE] == LAST -> number[SOURCE] = 0 }; break
	od;
end_all:
	if :: d_step { false -> skip } fi
}
