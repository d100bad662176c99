/* Three threads count modulo MODULUS for ever. MARKED: there is a mark for each state, and one that is not reached. */
#define THREADS 3
#define BEGIN {1, 1, 1}
#include "steps.h"

#ifndef MODULUS
#define MODULUS 64
#endif

STATE int count[THREADS];

#ifdef MARKED
enum { MARKS = MODULUS * MODULUS * MODULUS + 1, PAGE = 4096 };
unsigned char __CSEQ_marked[(MARKS + PAGE - 1) / PAGE * PAGE] __attribute__((aligned(PAGE)));
const unsigned int __CSEQ_marks = MARKS;
#endif

static void step(unsigned int thread)
{
#ifdef MARKED
    __CSEQ_reaches((count[0] * MODULUS + count[1]) * MODULUS + count[2]);
#endif
    WRITE(count[thread]);
    count[thread] = (count[thread] + 1) % MODULUS;
}
