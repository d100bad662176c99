/* Three threads count to 4 each, and end. With EXITS, the first one ends the process instead. STRIDE: how far apart
 * their counters are. */
#define THREADS 3
#define BEGIN {1, 1, 1}
#include "steps.h"

#ifndef STRIDE
#define STRIDE 1
#endif

STATE int count[THREADS * STRIDE];

static void step(unsigned int thread)
{
#ifdef EXITS
    if (thread == 0) {
        __CSEQ_touch(0, 0, __CSEQ_TOUCH_EVERYTHING);
        __CSEQ_exit();
    }
#endif
    if (count[thread * STRIDE] == 4) {
        END(thread);
        return;
    }
    WRITE(count[thread * STRIDE]);
    count[thread * STRIDE]++;
}
