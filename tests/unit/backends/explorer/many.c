/* Three threads count modulo 64 for ever. */
#define THREADS 3
#define BEGIN {1, 1, 1}
#include "steps.h"

STATE int count[THREADS];

static void step(unsigned int thread)
{
    WRITE(count[thread]);
    count[thread] = (count[thread] + 1) % 64;
}
