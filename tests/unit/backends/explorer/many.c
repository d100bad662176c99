/* Three threads count modulo MODULUS for ever. */
#define THREADS 3
#define BEGIN {1, 1, 1}
#include "steps.h"

#ifndef MODULUS
#define MODULUS 64
#endif

STATE int count[THREADS];

static void step(unsigned int thread)
{
    WRITE(count[thread]);
    count[thread] = (count[thread] + 1) % MODULUS;
}
