/* Strategies by priorities.
 *
 * PCT: each thread has a random priority; at depth - 1 random places the running thread gets the lowest one. S.
 * Burckhardt et al., "A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs", ASPLOS 2010. POS: each
 * announced operation has a random priority, and another one when an operation is executed that it depends on. X. Yuan,
 * J. Yang, R. Gu, "Partial Order Aware Concurrency Sampling", CAV 2018.
 *
 * PCTWM: each load reads the last store that its thread knows of, except for the first load at each of depth random
 * places. Its thread gets the lowest priority before it, and it reads one of the newest stores, as many as the bound of
 * the history. M. Gao, S. Chakraborty, B. K. Ozkan, "Probabilistic Concurrency Testing for Weak Memory Programs",
 * ASPLOS 2023, where the places are chosen among the loads.
 *
 * A thread that spins, or goes on for long, gets the lowest priority; one that spins gets its own back when there is
 * something new for it.
 */
#include "strategies.h"

#define MOST_CHANGES 16
#define USUAL_LENGTH 100   /* of a run that nothing is known of */
#define RANDOM (1ul << 62) /* a priority from here on is random */

static enum cs_strategy strategy;
static bool partial_order;
static uint64_t changes[MOST_CHANGES];
static uint32_t change_count, longest, history;
static uint64_t lowest; /* the last of the low priorities, each lower than the one before */

void cs_priorities_begin(const struct cs_request *request)
{
    static const uint32_t streaks[] = {60, 250, 1000}, histories[] = {1, 2, 4};
    strategy = request->strategy;
    partial_order = request->strategy == CS_STRATEGY_POS;
    longest = streaks[cs_random(3)];
    lowest = RANDOM - 1;
    change_count = 0;
    uint32_t wanted = request->depth;
    if (strategy == CS_STRATEGY_PCTWM) {
        history = histories[cs_random(3)];
        wanted++;
    }
    if (!partial_order) {
        uint32_t length = request->length > 0 ? request->length : USUAL_LENGTH;
        while (change_count + 1 < wanted && change_count < MOST_CHANGES) {
            changes[change_count++] = 1 + cs_random(length);
        }
    }
}

static uint64_t random_priority(void) { return RANDOM | (cs_random_wide() >> 2); }

void cs_priorities_created(struct cs_thread *thread)
{
    thread->priority = random_priority();
    thread->random = 0;
    thread->communicates = false;
}

/* Whether a load is to be chosen, which is then done. */
static bool is_due(void)
{
    for (uint32_t n = 0; n < change_count; n++) {
        if (changes[n] != 0 && changes[n] <= cs_shared->result.operations) {
            changes[n] = 0;
            return true;
        }
    }
    return false;
}

void cs_priorities_reads(struct cs_thread *self, uint32_t *first, uint32_t *number)
{
    if (self->communicates || is_due()) {
        *number = *number < history ? *number : history;
    } else {
        *first = *number - 1;
        *number = 1;
    }
    self->communicates = false;
}

static void demote(struct cs_thread *thread)
{
    if (thread->priority >= RANDOM) {
        thread->random = thread->priority; /* to be given back */
    }
    thread->priority = lowest--;
}

void cs_priorities_executes(struct cs_thread *thread)
{
    if (partial_order) {
        for (uint32_t n = 0; n < cs_thread_count; n++) {
            struct cs_thread *other = cs_threads[n];
            if (other == thread || (other->life == CS_LIVE && cs_dependent(&other->next, &thread->next))) {
                other->priority = random_priority();
            }
        }
        return;
    }
    uint64_t now = cs_shared->result.operations;
    for (uint32_t n = 0; n < change_count && strategy == CS_STRATEGY_PCT; n++) {
        if (changes[n] == now) {
            thread->priority = lowest--;
            thread->random = 0; /* for good */
        }
    }
}

struct cs_thread *cs_priorities_choose(struct cs_thread *const *able, uint32_t count, struct cs_thread *running)
{
    if (partial_order) {
        running = NULL;
    } else if (running->streak >= longest) { /* for good: two that go on for long would take turns for ever */
        running->priority = lowest--;
        running->random = 0;
    } else if (cs_spins(running)) {
        demote(running);
    }
    struct cs_thread *best = NULL;
    for (uint32_t n = 0; n < count; n++) {
        struct cs_thread *thread = able[n];
        if (!partial_order && thread != running && thread->random != 0 && !cs_spins(thread)) {
            thread->priority = thread->random;
            thread->random = 0;
        }
        bool better = best == NULL || thread->priority > best->priority;
        if (partial_order && best != NULL && cs_spins(thread) != cs_spins(best)) {
            better = cs_spins(best) ? cs_random(8) != 0 : cs_random(8) == 0;
        }
        best = better ? thread : best;
    }
    if (strategy == CS_STRATEGY_PCTWM && best->next.op == CS_atomic_load && !best->communicates && is_due()) {
        best->communicates = true;
        best->priority = lowest--;
        best->random = 0;
        return cs_priorities_choose(able, count, best);
    }
    return best;
}
