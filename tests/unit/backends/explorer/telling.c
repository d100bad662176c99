/* Reports its statements and values: main creates a thread, which fails, and waits for ever. */
#define THREADS 2
#include "steps.h"

static void step(unsigned int thread)
{
    unsigned int place = at[thread]++;

    __CSEQ_at(place);
    if (place == 1) {
        __CSEQ_show(3, 42);
        at[1] = 10;
    } else if (place == 2) {
        __CSEQ_block(1);
    } else {
        __CSEQ_at(11);
        ASSERT(0);
    }
}
