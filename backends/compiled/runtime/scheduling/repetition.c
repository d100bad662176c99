/* Whether threads that spin do exactly the same again and again. Under a strategy that gives each its turn, a thread
 * whose stack and registers are as they were before, and with no write in between by anyone, will never do anything
 * else. A loop that counts how often it has tried is told apart: it may end.
 */
#include <unwind.h>

#include "strategies.h"

#define REMEMBERED 128          /* states of each thread: the longest loop that is recognised, in operations */
#define MOST_STACK (256u << 10) /* bytes that are compared; with more, nothing is known */

struct past {
    uint64_t states[REMEMBERED];
    uint32_t count;
    bool repeats;
};

static struct past *pasts[CS_MOST_THREADS];

struct place {
    uint64_t pc, stack_high, state; /* state: 0 if unknown */
};

static uint64_t mixed(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 29);
}

static _Unwind_Reason_Code look(struct _Unwind_Context *context, void *given)
{
    static const int saved[] = {3, 6, 12, 13, 14, 15}; /* rbx, rbp, r12 to r15: what a function keeps over a call */
    struct place *place = given;
    if (_Unwind_GetIP(context) != place->pc) {
        return _URC_NO_REASON;
    }
    uint64_t from = _Unwind_GetCFA(context);
    if (place->stack_high < from || place->stack_high - from > MOST_STACK) {
        return _URC_END_OF_STACK;
    }
    uint64_t hash = mixed(place->pc, from);
    for (uint32_t n = 0; n < sizeof saved / sizeof *saved; n++) {
        hash = mixed(hash, _Unwind_GetGR(context, saved[n]));
    }
    for (const uint64_t *word = (const uint64_t *)(from & ~(uint64_t)7); word + 1 <= (uint64_t *)place->stack_high;
         word++) {
        hash = mixed(hash, *word);
    }
    place->state = hash | 1;
    return _URC_END_OF_STACK;
}

void cs_repetition_begin(void) { cs_plain_mode |= CS_PLAIN_WATCHED; }

void cs_repetition_write(const struct cs_thread *self, uint64_t address)
{
    if (address >= self->stack_low && address < self->stack_high) {
        return; /* it is compared */
    }
    for (uint32_t n = 0; n < cs_thread_count; n++) {
        if (pasts[n] != NULL) {
            pasts[n]->count = 0;
            pasts[n]->repeats = false;
        }
    }
}

void cs_repetition_announces(const struct cs_thread *self)
{
    struct past **slot = &pasts[self->number];
    if (*slot == NULL) {
        *slot = cs_allocate(sizeof **slot);
    }
    struct past *past = *slot;
    const struct cs_frame *frames = (const struct cs_frame *)((char *)cs_shared + cs_shared->frames.offset);
    struct place place = {.pc = frames[self->next.stack].pc, .stack_high = self->stack_high};
    bool inside = cs_self->inside;
    cs_self->inside = true; /* the unwinder calls pthread_once */
    _Unwind_Backtrace(look, &place);
    cs_self->inside = inside;
    past->repeats = false;
    uint32_t known = past->count < REMEMBERED ? past->count : REMEMBERED;
    for (uint32_t n = 0; n < known && place.state != 0; n++) {
        past->repeats |= past->states[n] == place.state;
    }
    past->states[past->count++ % REMEMBERED] = place.state;
}

static bool is_blocked(struct cs_thread *thread)
{
    return thread->next.ready != NULL && !thread->next.ready(thread, thread->next.subject)
        && thread->next.deadline == CS_NEVER;
}

/* A thread that repeats keeps this one from running, by the user's model: as nothing is written, for ever. */
static bool is_held(const struct cs_thread *thread)
{
    for (uint32_t n = 0; n < cs_thread_count; n++) {
        struct cs_thread *other = cs_threads[n];
        if (other != thread && other->life == CS_LIVE && pasts[n] != NULL && pasts[n]->repeats && !is_blocked(other)
            && cs_model_prefers(other, thread)) {
            return true;
        }
    }
    return false;
}

bool cs_all_repeat(void)
{
    for (uint32_t n = 0; n < cs_thread_count; n++) {
        struct cs_thread *thread = cs_threads[n];
        if (thread->life != CS_LIVE) {
            continue;
        }
        if (cs_class_of(thread->next.op) == CS_CLASS_ALL) {
            return false; /* it waits for other processes */
        }
        if (!is_blocked(thread) && !is_held(thread) && (pasts[n] == NULL || !pasts[n]->repeats)) {
            return false;
        }
    }
    return true;
}
