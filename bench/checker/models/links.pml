/* A sliding window protocol (go back n) over links that lose packets, on channels without room, as one writes it in Promela. */
#ifndef WINDOW
#define WINDOW 2
#endif
#define NUMBERS (WINDOW + 1)
#define ITEMS (2 * NUMBERS)
chan toLink = [0] of { byte, byte };
chan fromLink = [0] of { byte, byte };
chan ackToLink = [0] of { byte };
chan ackFromLink = [0] of { byte };

active proctype DataLink()
{
	byte number, item;
end:
	do
	:: toLink?number, item;
		if
		:: fromLink!number, item
		:: skip
		fi
	od
}

active proctype AckLink()
{
	byte number;
end:
	do
	:: ackToLink?number;
		if
		:: ackFromLink!number
		:: skip
		fi
	od
}

active proctype Sender()
{
	byte base, sent, number;
	do
	:: sent < WINDOW -> toLink!((base + sent) % NUMBERS), ((base + sent) % ITEMS); sent++
	:: ackFromLink?number ->
		do
		:: sent > 0 && base % NUMBERS != number -> base = (base + 1) % ITEMS; sent--
		:: else -> break
		od
	:: sent > 0 -> sent = 0
	od
}

active proctype Receiver()
{
	byte expected, number, item;
end:
	do
	:: fromLink?number, item;
		if
		:: number == expected % NUMBERS -> assert(item == expected); expected = (expected + 1) % ITEMS
		:: else
		fi;
		ackToLink!(expected % NUMBERS)
	od
}
