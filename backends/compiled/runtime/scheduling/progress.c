/* Whether threads get anywhere: a thread spins while its loads read nothing new and what it tries fails. A run in which
 * all do that at its limit goes on for a while with a fair strategy, to tell a livelock from an unlucky schedule.
 */
#include <limits.h>

#include "strategies.h"

#define WINDOW 1000     /* operations that are looked back at */
#define WAITS 64        /* loads in a row without news from which on a spinning thread is taken to wait */
#define EXTRA 10000     /* operations of the fair continuation, at least */
#define EXTRA_EACH 2000 /* and for each thread */

static uint8_t window[WINDOW];
static uint32_t position;
static uint64_t extra, ticks;
static uint32_t patience = CS_PATIENCE;

void cs_progress_announces(const struct cs_thread *self)
{
    if (extra > 0) {
        cs_repetition_announces(self);
    }
    switch ((int)self->next_before) {
    case 0:
    case CS_yield:
    case CS_sleep:
    case CS_fence:
        return; /* says nothing either way */
    default:;
    }
    uint8_t spun = self->stale > 0;
    uint32_t *spinning = &cs_shared->result.spinning;
    *spinning += (uint32_t)spun - window[position];
    window[position] = spun;
    position = (position + 1) % WINDOW;
}

void cs_progress_executes(struct cs_thread *thread)
{
    enum cs_op op = thread->next.op;
    thread->next_before = op;
    thread->stale_before = thread->stale;
    if (op == CS_yield || op == CS_sleep) {
        thread->stale++;
    } else if (cs_class_of(op) >= CS_CLASS_SYNC) {
        thread->stale = 0;
    }
}

void cs_progress_failed(struct cs_thread *self)
{
    if (cs_class_of(self->next_before) >= CS_CLASS_SYNC) {
        self->stale = self->stale_before + 1;
    }
}

/* Functions that try a number of times before they fail do fail in runs with more patience. */
void cs_progress_begin(bool by_chance)
{
    static const uint32_t patiences[] = {CS_PATIENCE, CS_PATIENCE, 4 * CS_PATIENCE, 16 * CS_PATIENCE};
    patience = by_chance ? patiences[cs_random(4)] : CS_PATIENCE;
}

bool cs_spins(const struct cs_thread *thread)
{
    return thread->stale >= patience || (thread->next.op == CS_yield && patience == CS_PATIENCE);
}

bool cs_all_wait(struct cs_thread *const *able, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++) {
        if (able[n]->stale < WAITS) {
            return false;
        }
    }
    return true;
}

void cs_progress_limit(uint64_t operations)
{
    uint64_t limit = cs_shared->request.steps;
    if (operations <= limit) {
        return;
    }
    if (extra == 0 && cs_shared->result.spinning >= WINDOW / 2) {
        uint32_t live = 0;
        for (uint32_t n = 0; n < cs_thread_count; n++) {
            live += cs_threads[n]->life == CS_LIVE;
        }
        extra = EXTRA > EXTRA_EACH * live ? EXTRA : EXTRA_EACH * live;
        cs_strategy_fair();
        cs_repetition_begin();
    }
    if (operations > limit + extra) {
        if (cs_shared->result.spinning == WINDOW && !cs_all_repeat()) {
            cs_shared->result.spinning--; /* a loop that may end */
        }
        cs_end(CS_END_steps, operations > INT_MAX ? INT_MAX : (int)operations, NULL, 0, NULL);
    }
    /* The time passes faster and faster, so that a thread that waits for a time gets there. */
    ticks += 1000;
    cs_now += ticks;
}

void cs_note_read(struct cs_thread *self, uint64_t address, uint64_t value)
{
    __typeof__(&self->read[0]) last = &self->read[(address >> 2) % CS_READ_LATELY];
    if (last->address == address && last->value == value) {
        self->stale++;
    } else {
        last->address = address;
        last->value = value;
        self->stale = 0;
    }
}
