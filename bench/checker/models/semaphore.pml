/* A semaphore as a process, and N users, step by step as in semaphore.lf. Each d_step or atomic is one action. A process
 * that finds no partner waits; who comes later clears that. */
#ifndef N
#define N 5
#endif
byte waits[N]; /* 1: to wait, 2: to signal */
bool serverWaits;
byte clause, count, inside;

#define TAKE(k) \
	:: d_step { waits[k] == 1 && count > 0 -> waits[k] = 0; clause = 1 } \
	:: d_step { waits[k] == 2 -> waits[k] = 0; clause = 2 }
#define CAN(k) (waits[k] == 2 || (waits[k] == 1 && count > 0))

#if N == 5
#define TAKE_ANY TAKE(0) TAKE(1) TAKE(2) TAKE(3) TAKE(4)
#define NOBODY !(CAN(0) || CAN(1) || CAN(2) || CAN(3) || CAN(4))
#else
#define TAKE_ANY TAKE(0) TAKE(1) TAKE(2) TAKE(3) TAKE(4) TAKE(5) TAKE(6) TAKE(7) TAKE(8) TAKE(9) TAKE(10) TAKE(11) \
	TAKE(12) TAKE(13)
#define NOBODY !(CAN(0) || CAN(1) || CAN(2) || CAN(3) || CAN(4) || CAN(5) || CAN(6) || CAN(7) || CAN(8) || CAN(9) || \
	CAN(10) || CAN(11) || CAN(12) || CAN(13))
#endif

active [N] proctype User()
{
	if
	:: d_step { serverWaits && count > 0 -> serverWaits = false; clause = 1 }
	:: d_step { !(serverWaits && count > 0) -> waits[_pid] = 1 }
	fi;
	do
	:: d_step { waits[_pid] == 0 -> inside++ };
		d_step {
			assert(inside == 1); inside--;
			if :: serverWaits -> serverWaits = false; clause = 2 :: else -> waits[_pid] = 2 fi };
		d_step {
			waits[_pid] == 0 ->
			if :: serverWaits && count > 0 -> serverWaits = false; clause = 1 :: else -> waits[_pid] = 1 fi }
	od
}

active proctype Server()
{
	atomic {
		count = 1;
		if
		TAKE_ANY
		:: d_step { NOBODY -> serverWaits = true }
		fi };
	do
	:: atomic {
		!serverWaits ->
		d_step { if :: clause == 1 -> count-- :: clause == 2 -> count++ fi; clause = 0 };
		if
		TAKE_ANY
		:: d_step { NOBODY -> serverWaits = true }
		fi }
	od
}
