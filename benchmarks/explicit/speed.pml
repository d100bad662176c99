/* speed.c by hand: the same steps as those of the step program. Each is one transition; what is dead is cleared. */

#ifndef STEPS
#define STEPS 7
#endif
#ifndef MOST
#define MOST 987
#endif

short i = 1;
int j = 1;
bool started;
bool ended;

inline add(mine, theirs)
{
	do
	:: d_step { k < STEPS -> a = mine }
	   b = theirs;
	   d_step { mine = a + b; a = 0; b = 0; k++ }
	:: else -> break
	od
}

active proctype other()
{
	byte k;
	int a;
	short b;

	started;
	add(j, i);
	k = 0;
	ended = true
}

active proctype first()
{
	byte k;
	short a;
	int b;

	started = true;
	add(i, j);
	ended;
	a = i;
	assert(a <= MOST && j <= MOST)
}
