/* Three threads count to 4 each, and end. */
#define THREADS 3
#define BEGIN {1, 1, 1}
#include "steps.h"

STATE int count[THREADS];

static void step(unsigned int thread)
{
    if (count[thread] == 4) {
        END(thread);
        return;
    }
    WRITE(count[thread]);
    count[thread]++;
}
