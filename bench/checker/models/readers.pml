/* N readers and N writers of what only one writer or any number of readers may have. */
#ifndef N
#define N 4
#endif
byte reading, writing;

active [N] proctype Reader()
{
	do
	:: atomic { writing == 0 -> reading++ };
		atomic { assert(writing == 0); reading-- }
	od
}

active [N] proctype Writer()
{
	do
	:: atomic { writing == 0 && reading == 0 -> writing++ };
		atomic { assert(writing == 1 && reading == 0); writing-- }
	od
}
