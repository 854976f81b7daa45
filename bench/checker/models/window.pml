/* A sliding window protocol over links that lose packets, step by step as in window.lf. Each d_step or atomic is one
 * action. A process that finds no partner waits; who comes later moves the data and clears that. */
#ifndef WINDOW
#define WINDOW 2
#endif
#define NUMBERS (WINDOW + 1)
#define ITEMS (2 * NUMBERS)
bool senderWaits;
byte clause; /* of the sender's SELECT */
byte base, sent, number;
byte dataWaits, dataNumber, dataItem; /* 1: to receive, 2: to send */
byte ackWaits, ackNumber;
byte receiverWaits, receiverNumber, receiverItem, expected;

inline fill() { dataNumber = (base + sent) % NUMBERS; dataItem = (base + sent) % ITEMS }
inline dataIn() { if :: senderWaits && sent < WINDOW -> fill(); senderWaits = false; clause = 1 :: else -> dataWaits = 1 fi }
inline dataOut()
{
	if
	:: receiverWaits == 1 -> receiverNumber = dataNumber; receiverItem = dataItem; receiverWaits = 0
	:: else -> dataWaits = 2
	fi
}
inline ackIn() { if :: receiverWaits == 2 -> ackNumber = expected % NUMBERS; receiverWaits = 0 :: else -> ackWaits = 1 fi }
inline ackOut() { if :: senderWaits -> number = ackNumber; senderWaits = false; clause = 2 :: else -> ackWaits = 2 fi }
inline get()
{
	if
	:: dataWaits == 2 -> receiverNumber = dataNumber; receiverItem = dataItem; dataWaits = 0
	:: else -> receiverWaits = 1
	fi
}

active proctype DataLink()
{
	d_step { dataIn() };
	do
	:: d_step { dataWaits == 0 -> skip };
		if
		:: d_step { true -> dataOut() }; d_step { dataWaits == 0 -> dataIn() }
		:: d_step { true -> dataIn() }
		fi
	od
}

active proctype AckLink()
{
	d_step { ackIn() };
	do
	:: d_step { ackWaits == 0 -> skip };
		if
		:: d_step { true -> ackOut() }; d_step { ackWaits == 0 -> ackIn() }
		:: d_step { true -> ackIn() }
		fi
	od
}

active proctype Sender()
{
	do
	:: atomic {
		!senderWaits ->
		d_step {
			if
			:: clause == 1 -> sent++
			:: clause == 2 ->
				do
				:: sent > 0 && base % NUMBERS != number -> base = (base + 1) % ITEMS; sent--
				:: else -> break
				od
			:: clause == 3 -> sent = 0
			:: else
			fi;
			clause = 0 };
		if
		:: d_step { dataWaits == 1 && sent < WINDOW -> fill(); dataWaits = 0; clause = 1 }
		:: d_step { ackWaits == 2 -> number = ackNumber; ackWaits = 0; clause = 2 }
		:: d_step { !(dataWaits == 1 && sent < WINDOW) && ackWaits != 2 -> senderWaits = true }
		fi }
	:: d_step { senderWaits -> senderWaits = false; clause = 3 }
	od
}

active proctype Receiver()
{
	d_step { get() };
	do
	:: d_step {
			receiverWaits == 0 ->
			if
			:: receiverNumber == expected % NUMBERS -> assert(receiverItem == expected); expected = (expected + 1) % ITEMS
			:: else
			fi;
			if :: ackWaits == 1 -> ackNumber = expected % NUMBERS; ackWaits = 0 :: else -> receiverWaits = 2 fi };
		d_step { receiverWaits == 0 -> get() }
	od
}
