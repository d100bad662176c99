/* Symmetry: of states that differ only in which of several interchangeable threads is where, one is enough.
 *
 * The program says which threads are interchangeable, and where their numbers are in the state
 * (`modules/explicit/encode/stepper/symmetry.py`): in arrays with an element for each thread, and in the owners of
 * mutexes. States match if they are equal once the threads have been sorted by these elements. Only what is matched is
 * sorted. What is expanded is a state that was reached, so schedules are real.
 *
 * Why this loses no bug. Let p exchange threads of one class that exist and have not been joined. Their functions know
 * neither their numbers nor anything that tells them apart. What main has stored of their identifiers it only uses to
 * join, and p leaves that alone. Until main begins to join, p and the transitions commute, for main does not look at
 * any of this. Once it has begun, main joins all of them, one after the other, and does nothing else in between that
 * anybody could notice or that could go wrong. (Threads that it joins later or not at all are in no class. Those that
 * it creates later are not among these, as it has joined these by then.) Let a bug be n transitions after the state s.
 * - If it comes before main has joined all of them, a thread other than main makes the last transition, or main has
 *   not begun to join. So without those of main's transitions that join, this is an execution, too, and no longer.
 *   Exchanging threads in it gives one from p(s) to the same bug.
 * - Otherwise all of them end, and main's joins can be made after that, as no thread notices when they happen, and as
 *   they stay enabled. In p(s), as many threads are still to be joined as in s, so the other transitions with the
 *   threads exchanged, these joins, and what comes after them is an execution with as many transitions.
 * So the shortest way to a bug is as long from p(s) as from s. On a shortest way from the initial state, each state can
 * be replaced by the one that it matches without getting farther away from the bug. This holds for what is looked for
 * here: claims, crashes, and cuts. It does not hold for deadlocks or races, for what an invariant, a proposition, or a
 * scheduler says, and for infinite executions. */

#include "key.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "extent.h"

enum { PAGE = 4096 };

bool cs_knows_symmetry(void)
{
    return &__CSEQ_alike && !__CSEQ_runnable && !__CSEQ_invariant && !__CSEQ_proposition && !__CSEQ_abstract;
}

static char *row(const struct __CSEQ_row *rows, unsigned int thread)
{
    return (char *)(uintptr_t)rows->word + (thread - rows->first) * rows->size;
}

static uint16_t *owner(const struct __CSEQ_touchable *mutex) { return (uint16_t *)(uintptr_t)mutex->word; }

/* Less than 0 where *one* comes before *other*. */
static int compare(unsigned int one, unsigned int other)
{
    for (const struct __CSEQ_row *rows = __CSEQ_rows; rows->word; rows++) {
        int difference = memcmp(row(rows, one), row(rows, other), rows->size);
        if (difference)
            return difference;
    }
    for (const struct __CSEQ_touchable *mutex = __CSEQ_owners; mutex->word; mutex++) {
        int difference = (*owner(mutex) == one + 1) - (*owner(mutex) == other + 1);
        if (difference)
            return difference;
    }
    return 0;
}

bool cs_sort(struct cs_sorting *order)
{
    __CSEQ_set alike = __CSEQ_alike();
    unsigned int places[CS_MOST_THREADS], most = 0;
    bool changed = false;

    for (unsigned int thread = 0; thread < __CSEQ_most_threads; thread++) {
        order->from[thread] = (unsigned char)thread;
        if ((alike >> thread & 1) && __CSEQ_class[thread] > most)
            most = __CSEQ_class[thread];
    }
    for (unsigned int kind = 1; kind <= most; kind++) {
        unsigned int count = 0;
        for (unsigned int thread = 0; thread < __CSEQ_most_threads; thread++)
            if ((alike >> thread & 1) && __CSEQ_class[thread] == kind) {
                unsigned int at = count;
                places[count++] = thread;
                for (; at > 0 && compare(thread, order->from[places[at - 1]]) < 0; at--) {
                    order->from[places[at]] = order->from[places[at - 1]];
                    changed = true;
                }
                order->from[places[at]] = (unsigned char)thread;
            }
    }
    return changed;
}

static void write_row(char *to, const char *from, size_t size)
{
    if (memcmp(to, from, size) == 0)
        return;
    for (size_t at = 0; at < size; at += PAGE)
        cs_extent_grows(to + at);
    cs_extent_grows(to + size - 1);
    memcpy(to, from, size);
}

/* The thread to[k] takes the part of the thread from[k], for each k. */
static void move(const unsigned char *to, const unsigned char *from)
{
    static char *kept;
    static size_t room;

    for (const struct __CSEQ_row *rows = __CSEQ_rows; rows->word; rows++) {
        size_t size = rows->size;
        if (room < size * CS_MOST_THREADS) {
            room = size * CS_MOST_THREADS;
            kept = realloc(kept, room);
            if (!kept)
                abort();
        }
        for (unsigned int k = rows->first; k < __CSEQ_most_threads; k++)
            memcpy(kept + from[k] * size, row(rows, from[k]), size);
        for (unsigned int k = rows->first; k < __CSEQ_most_threads; k++)
            write_row(row(rows, to[k]), kept + from[k] * size, size);
    }
    for (const struct __CSEQ_touchable *mutex = __CSEQ_owners; mutex->word; mutex++)
        for (unsigned int k = 0; k < __CSEQ_most_threads; k++)
            if (*owner(mutex) == from[k] + 1) {
                if (to[k] != from[k])
                    *owner(mutex) = (uint16_t)(to[k] + 1);
                break;
            }
}

static const struct cs_sorting *in_order(void)
{
    static struct cs_sorting order;

    for (unsigned int thread = 0; thread < CS_MOST_THREADS; thread++)
        order.from[thread] = (unsigned char)thread;
    return &order;
}

void cs_exchange(const struct cs_sorting *order) { move(in_order()->from, order->from); }
void cs_exchange_back(const struct cs_sorting *order) { move(order->from, in_order()->from); }
