/* Three threads count to 4 each, and end. With EXITS, the first one ends the process instead. */
#define THREADS 3
#define BEGIN {1, 1, 1}
#include "steps.h"

STATE int count[THREADS];

static void step(unsigned int thread)
{
#ifdef EXITS
    if (thread == 0) {
        __CSEQ_touch(0, 0, __CSEQ_TOUCH_EVERYTHING);
        __CSEQ_exit();
    }
#endif
    if (count[thread] == 4) {
        END(thread);
        return;
    }
    WRITE(count[thread]);
    count[thread]++;
}
