/* N philosophers, each fork a process, step by step as in keepers.lf. Each d_step or atomic is one action. A process that
 * finds no partner waits; who comes later clears that. */
#ifndef N
#define N 5
#endif
#define FIRST ((_pid == N - 1) -> 0 : _pid)
#define SECOND ((_pid == N - 1) -> N - 1 : _pid + 1)
#define ME (_pid - N)
#define OTHER ((_pid - 1) % N)
#define TAKES(fork) (1 + 2 * (fork))
#define PUTS(fork) (2 + 2 * (fork))
byte asks[N];    /* what each philosopher waits for */
byte waiting[N]; /* what each fork waits for: 1 take, 2 put */

active [N] proctype Philosopher()
{
	d_step { if :: waiting[FIRST] == 1 -> waiting[FIRST] = 0 :: else -> asks[_pid] = TAKES(FIRST) fi };
	do
	:: d_step { asks[_pid] == 0 -> if :: waiting[SECOND] == 1 -> waiting[SECOND] = 0 :: else -> asks[_pid] = TAKES(SECOND) fi };
		d_step { asks[_pid] == 0 -> if :: waiting[FIRST] == 2 -> waiting[FIRST] = 0 :: else -> asks[_pid] = PUTS(FIRST) fi };
		d_step { asks[_pid] == 0 -> if :: waiting[SECOND] == 2 -> waiting[SECOND] = 0 :: else -> asks[_pid] = PUTS(SECOND) fi };
		d_step { asks[_pid] == 0 -> if :: waiting[FIRST] == 1 -> waiting[FIRST] = 0 :: else -> asks[_pid] = TAKES(FIRST) fi }
	od
}

active [N] proctype Keeper()
{
	if
	:: d_step { asks[ME] == TAKES(ME) -> asks[ME] = 0 }
	:: d_step { asks[OTHER] == TAKES(ME) -> asks[OTHER] = 0 }
	:: d_step { asks[ME] != TAKES(ME) && asks[OTHER] != TAKES(ME) -> waiting[ME] = 1 }
	fi;
	do
	:: d_step {
			waiting[ME] == 0 ->
			if
			:: asks[ME] == PUTS(ME) -> asks[ME] = 0
			:: asks[OTHER] == PUTS(ME) -> asks[OTHER] = 0
			:: else -> waiting[ME] = 2
			fi };
		if
		:: d_step { waiting[ME] == 0 && asks[ME] == TAKES(ME) -> asks[ME] = 0 }
		:: d_step { waiting[ME] == 0 && asks[OTHER] == TAKES(ME) -> asks[OTHER] = 0 }
		:: d_step { waiting[ME] == 0 && asks[ME] != TAKES(ME) && asks[OTHER] != TAKES(ME) -> waiting[ME] = 1 }
		fi
	od
}
