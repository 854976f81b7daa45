/* A bounded buffer as a process, step by step as in buffer.lf. Each d_step or atomic is one action. A process that finds
 * no partner waits (its flag is set); who comes later moves the data and clears the flag. */
#ifndef SIZE
#define SIZE 20
#endif
#define RANGE 7
byte cell[SIZE];
byte first, free, count;
byte clause; /* of the store's SELECT: which one went last */
bool storeWaits, producerWaits, consumerWaits;
byte sent, received;

inline offer()
{
	if
	:: storeWaits && count < SIZE -> cell[free] = sent; storeWaits = false; clause = 1
	:: else -> producerWaits = true
	fi
}

inline demand()
{
	if
	:: storeWaits && count > 0 -> received = cell[first]; storeWaits = false; clause = 2
	:: else -> consumerWaits = true
	fi
}

active proctype Store()
{
	do
	:: atomic {
		!storeWaits ->
		d_step {
			if
			:: clause == 1 -> free = (free + 1) % SIZE; count++
			:: clause == 2 -> cell[first] = 0; first = (first + 1) % SIZE; count--
			:: else
			fi;
			clause = 0 };
		if
		:: d_step { producerWaits && count < SIZE -> cell[free] = sent; producerWaits = false; clause = 1 }
		:: d_step { consumerWaits && count > 0 -> received = cell[first]; consumerWaits = false; clause = 2 }
		:: d_step { !(producerWaits && count < SIZE) && !(consumerWaits && count > 0) -> storeWaits = true }
		fi }
	od
}

active proctype Producer()
{
	d_step { offer() };
	do :: d_step { !producerWaits -> sent = (sent + 1) % RANGE; offer() } od
}

active proctype Consumer()
{
	byte i;
	d_step { demand() };
	do :: d_step { !consumerWaits -> assert(received == i); i = (i + 1) % RANGE; demand() } od
}
