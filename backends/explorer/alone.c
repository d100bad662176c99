/* Transitions that are made alone: a persistent set with one thread (Godefroid, LNCS 1032, chapter 4).
 *
 * The program says for each place what a thread that stands there may still touch
 * (`modules/explicit/encode/stepper/future_accesses.py`). A transition of a thread that is in no conflict with what any
 * other one may still touch is independent of all that they can do before it. So an execution to a bug in which the
 * thread makes it later is as good with it in the first place; and it stays enabled until then. An execution in which
 * the thread never makes it is as good with it, too, and leads to the same bug. Hence it is enough to look at this one
 * successor. This needs
 * - that it has an end without a bug, a cut, or an assumption that does not hold, whatever is chosen in it: otherwise
 *   what the others do instead would be left out;
 * - that no property distinguishes the states before and after it, see `expand.c`;
 * - that no thread is put off for ever: if the successor is no new state, all threads are expanded (the proviso of
 *   Bosnacki, Leue and Lluch-Lafuente, SPIN 2006, for any order of the search).
 * The end of the process is as good as nothing: no bug comes after it. */

#include "access.h"

static const unsigned long long rest = 1ULL << 63;

bool cs_knows_futures(void) { return &__CSEQ_unnoticed; } /* they come together */

struct cs_future cs_future_of_others(__CSEQ_set alive, unsigned int thread)
{
    struct cs_future future = {0, 0};

    for (unsigned int other = 0; other < __CSEQ_most_threads; other++)
        if (other != thread && (alive >> other & 1)) {
            unsigned int place = __CSEQ_place(other);
            future.reads |= __CSEQ_may_read[place];
            future.writes |= __CSEQ_may_write[place];
        }
    return future;
}

/* The bits of what is touched. */
static unsigned long long bits(const struct cs_touch *touch)
{
    const volatile char *end = touch->at + touch->size;
    unsigned long long found = 0;
    const struct __CSEQ_touchable *object = __CSEQ_touchables;

    for (unsigned int number = 0; object->at; object++, number++) {
        const volatile char *at = object->at;
        if (touch->at >= at && end <= at + object->size)
            return 1ULL << number;
        if (touch->at < at + object->size && at < end)
            found |= 1ULL << number;
    }
    return found | rest;
}

struct cs_touched cs_touched(const struct cs_transition *made)
{
    struct cs_touched touched = {false, {0, 0}};

    for (unsigned int i = 0; i < made->touched; i++) {
        const struct cs_touch *touch = &made->touches[i];
        unsigned long long found;
        if (touch->kind & __CSEQ_TOUCH_EVERYTHING) {
            touched.everything = true;
            continue;
        }
        found = bits(touch);
        if ((touch->kind & __CSEQ_TOUCH_READ) || !(touch->kind & __CSEQ_TOUCH_WRITE))
            touched.objects.reads |= found;
        if (touch->kind & __CSEQ_TOUCH_WRITE)
            touched.objects.writes |= found;
    }
    return touched;
}

bool cs_is_apart(const struct cs_touched *touched, struct cs_future others)
{
    unsigned long long all = touched->objects.reads | touched->objects.writes;
    return !touched->everything && !(all & others.writes) && !(touched->objects.writes & others.reads);
}

bool cs_was_expected(const struct cs_touched *touched, unsigned int place)
{
    unsigned long long reads = touched->objects.reads & ~__CSEQ_may_read[place];
    unsigned long long writes = touched->objects.writes & ~__CSEQ_may_write[place];
    return !((reads | writes) & ~__CSEQ_unnoticed);
}
