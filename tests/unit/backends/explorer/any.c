/* A random program, for the seed SEED in the environment: up to four threads with a few statements each, on four
 * variables and two locks. Main creates the other threads. A statement may jump back, so there are cycles. */
#define THREADS 4
#include <stdlib.h>

#include "steps.h"

enum { LENGTH = 6, VARIABLES = 4 };

STATE signed char variable[VARIABLES], copy[THREADS], lock[2];

static unsigned int seed;

__attribute__((constructor)) static void begin(void)
{
    const char *text = getenv("SEED");
    seed = text ? (unsigned int)atoi(text) : 0;
}

/* The number *which* of a statement: below *most*, and determined by the seed. */
static unsigned int number(unsigned int thread, unsigned int place, unsigned int which, unsigned int most)
{
    unsigned int mixed = seed * 2654435761u + thread * 40503u + place * 9973u + which * 7919u;

    mixed ^= mixed >> 15;
    mixed *= 2246822519u;
    mixed ^= mixed >> 13;
    mixed *= 3266489917u;
    return (mixed ^ mixed >> 16) % most;
}

static void step(unsigned int thread)
{
    unsigned int place = at[thread]++, other;
    signed char *object = &variable[number(thread, place, 1, VARIABLES)];
    signed char *which = &lock[number(thread, place, 2, 2)];

    if (thread == 0 && place <= number(0, 0, 0, THREADS - 1) + 1) {
        ATOMIC(at[place]);
        at[place] = 10;
        return;
    }
    if (thread == 0 && place < 10)
        place = at[0] = 10;
    if (place == 10 + LENGTH) {
        END(thread);
        return;
    }
    at[thread] = (unsigned char)(place + 1);
    switch (number(thread, place, 0, 16)) {
    case 0:
    case 1:
        READ(*object);
        copy[thread] = *object;
        break;
    case 2:
    case 3:
        WRITE(*object);
        *object = (signed char)(copy[thread] + (signed char)number(thread, place, 3, 2));
        if (*object > 3)
            *object = 0;
        break;
    case 4:
    case 5:
        LOCK(*which, thread);
        break;
    case 6:
    case 7:
        ATOMIC(*which);
        if (*which == (signed char)thread + 1)
            *which = 0;
        break;
    case 8:
        ATOMIC(*object);
        *object = (signed char)((*object + 1) % 3);
        break;
    case 9: /* a claim, rarely wrong */
        READ(*object);
        if (*object == (signed char)number(thread, place, 3, 4) && copy[thread] > 0)
            __CSEQ_violate("claim");
        break;
    case 10:
        copy[thread] = (signed char)__CSEQ_choose(2);
        READ(*object);
        copy[thread] = (signed char)(copy[thread] & *object);
        break;
    case 11: /* wait until it is set */
        ATOMIC(*object);
        if (*object == 0)
            __CSEQ_block(0);
        break;
    case 12:
        READ(*object);
        if (*object == 3)
            __CSEQ_drop();
        break;
    case 13:
        other = number(thread, place, 4, THREADS);
        if (other != thread)
            JOIN(other);
        break;
    case 14: /* back, once or for ever */
        READ(*object);
        if (*object == 1)
            at[thread] = 10;
        break;
    default:
        if (number(thread, place, 5, 4) == 0) {
            __CSEQ_touch(0, 0, __CSEQ_TOUCH_EVERYTHING);
            __CSEQ_exit();
        }
    }
}

#ifdef INVARIANT
const char *__CSEQ_invariant(void)
{
    return variable[0] == (int)number(9, 0, 0, 4) && variable[1] == (int)number(9, 0, 1, 3) + 1 ? "invariant" : 0;
}
const unsigned int __CSEQ_watched_count = 2;
const struct __CSEQ_watch __CSEQ_watched[] = {{{&variable[0]}, 1}, {{&variable[1]}, 1}};
#endif
