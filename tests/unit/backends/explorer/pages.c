/* Three threads count to MOST each and mark how far they are: each mark is on another page of memory, so a process that
 * has expanded other states has other pages in use. BUG: a claim is wrong after fifteen transitions. CUT: two bounds
 * are reached at one depth. */
#define THREADS 3
#define BEGIN {1, 1, 1}
#include "steps.h"

#ifndef MOST
#define MOST 12
#endif

enum { PAGE = 4096 };

STATE unsigned char count[THREADS];
STATE char mark[THREADS][MOST][PAGE];

static void step(unsigned int thread)
{
    if (count[thread] == MOST) {
        END(thread);
        return;
    }
    WRITE(mark[thread]);
    WRITE(count);
    mark[thread][count[thread]++][0] = 1;
#ifdef BUG
    ASSERT(!(count[0] == 7 && count[1] == 5 && count[2] == 3));
#endif
#ifdef CUT
    if (count[0] == 2 && count[1] == 9)
        __CSEQ_cut("one bound");
    if (count[0] == 9 && count[1] == 2)
        __CSEQ_cut("another bound");
#endif
}
