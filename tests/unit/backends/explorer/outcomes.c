/* The outcomes of a transition. CASE in the environment says which. */
#define THREADS 3
#include <stdlib.h>
#include <string.h>

#include "steps.h"

STATE int x, *pointer;
STATE signed char locks[2];

static const char *which = "";

__attribute__((constructor)) static void begin(void)
{
    if (getenv("CASE"))
        which = getenv("CASE");
}

static int is(const char *name) { return !strcmp(which, name); }

/* Takes both locks, *first* before the other, and releases them. */
static void take_both(unsigned int thread, unsigned int place, unsigned int first)
{
    switch (place) {
    case 10:
        LOCK(locks[first], thread);
        break;
    case 11:
        LOCK(locks[1 - first], thread);
        break;
    case 12:
        UNLOCK(locks[1 - first]);
        break;
    case 13:
        UNLOCK(locks[first]);
        break;
    default:
        END(thread);
    }
}

static void do_main(void)
{
    static const int table[4] = {1, 2, 3, 4};
    volatile int zero = 0;

    switch (at[0]++) {
    case 1:
        x = 1;
        if (is("null") || is("not null")) {
            pointer = is("null") ? 0 : &x;
            WRITE(*pointer);
            *pointer = 2;
        } else if (is("division")) {
            x = 7 / zero;
        } else if (is("trap")) {
            __builtin_trap();
        } else if (is("elsewhere")) {
            WRITE(which);
        } else if (is("constant")) {
            READ(table[x]);
            x = table[x];
        } else if (is("endless")) {
            for (;;)
                zero = 0;
        } else if (is("cut")) {
            __CSEQ_cut("too many threads");
        } else if (is("coarse")) {
            __CSEQ_coarse("time");
            __CSEQ_coarse("time");
        } else if (is("refuse")) {
            __CSEQ_refuse("an uninitialised variable");
        } else if (is("drop")) {
            __CSEQ_drop();
        } else if (is("exit")) {
            __CSEQ_exit();
        } else if (is("block")) {
            __CSEQ_block(0);
        } else if (is("outside")) {
            __CSEQ_block(~0ULL);
        } else if (is("itself")) {
            __CSEQ_block(1);
        } else if (is("choices")) {
            x = (int)__CSEQ_choose(3);
            x = x * 10 + (int)__CSEQ_choose((unsigned long)x + 1);
        } else if (is("many choices")) {
            x = (int)__CSEQ_choose(10000);
        } else if (is("choices without end")) {
            x = (int)__CSEQ_choose(1ul << 31);
        } else if (is("no choice")) {
            __CSEQ_choose(0);
        } else if (is("choice")) {
            if (__CSEQ_choose(5) == 3)
                __CSEQ_violate("assertion `choice != 3'");
        } else if (is("block or not")) {
            if (__CSEQ_choose(2) == 0)
                __CSEQ_block(1);
        } else if (is("block or block")) {
            if (__CSEQ_choose(2) == 0)
                __CSEQ_block(1);
            __CSEQ_block(0);
        } else if (is("ends with lock")) {
            LOCK(locks[0], 0);
        }
        break;
    case 2:
        at[1] = 10;
        break;
    case 3:
        if (is("joins"))
            at[2] = 10;
        break;
    case 4:
        if (is("joins"))
            JOIN(2);
        break;
    case 5:
        if (is("spins"))
            at[0] = 5;
        else
            END(0);
    }
}

static void step(unsigned int thread)
{
    unsigned int place = at[thread];

    if (thread == 0)
        do_main();
    else if (is("joins") || is("ends with lock")) {
        at[thread]++;
        take_both(thread, place, thread - 1);
    } else
        END(thread);
}
