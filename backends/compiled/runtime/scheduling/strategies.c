/* Strategies: which of the threads that can go on does. All are fair: a thread that spins does not keep others from
 * what it waits for. */
#include "strategies.h"

#define MOST_PREEMPTIONS 16
#define USUAL_LENGTH 100
#define LONGEST 300       /* operations in a row of a thread while others can go on */
#define SPINNING_WEIGHT 8 /* a thread that gets somewhere is so much more likely to go on than one that spins */

uint32_t cs_earlier_entries;

static uint64_t state;
static enum cs_strategy strategy;
static uint64_t preemptions[MOST_PREEMPTIONS];
static uint32_t preemption_count;

uint64_t cs_random_wide(void)
{
    state += 0x9e3779b97f4a7c15u; /* splitmix64 */
    uint64_t mixed = state;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return mixed ^ (mixed >> 31);
}

uint32_t cs_random(uint32_t bound) { return (uint32_t)(((cs_random_wide() >> 32) * bound) >> 32); }

static bool has_priorities(void)
{
    return strategy == CS_STRATEGY_PCT || strategy == CS_STRATEGY_POS || strategy == CS_STRATEGY_PCTWM;
}

void cs_strategy_begin(const struct cs_request *request)
{
    state = request->seed * 0xd1342543de82ef95u + 1;
    strategy = request->strategy;
    cs_progress_begin(strategy != CS_STRATEGY_RUN && strategy != CS_STRATEGY_ROUND);
    if (has_priorities()) {
        cs_priorities_begin(request);
    }
    if (strategy == CS_STRATEGY_SURW && request->seed % 4 != 0) { /* the others: uniform in all operations */
        cs_selective_prepare(cs_earlier_entries);
    }
    preemption_count = 0;
    if (strategy == CS_STRATEGY_PREEMPT) {
        uint32_t length = request->length > 0 ? request->length : USUAL_LENGTH;
        while (preemption_count < request->depth && preemption_count < MOST_PREEMPTIONS) {
            preemptions[preemption_count++] = 1 + cs_random(length);
        }
    }
}

void cs_strategy_fair(void) { strategy = CS_STRATEGY_ROUND; }

/* One of the threads, each as likely as its weight says. */
static struct cs_thread *weighted(struct cs_thread *const *able, const uint64_t *weights, uint32_t count)
{
    uint64_t total = 0;
    for (uint32_t n = 0; n < count; n++) {
        total += weights[n];
    }
    uint64_t place = cs_random_wide() % total;
    uint32_t n = 0;
    while (place >= weights[n]) {
        place -= weights[n++];
    }
    return able[n];
}

static struct cs_thread *walk(struct cs_thread *const *able, uint32_t count, bool by_remaining)
{
    uint64_t weights[count];
    for (uint32_t n = 0; n < count; n++) {
        weights[n] = cs_spins(able[n]) ? 1 : SPINNING_WEIGHT;
        if (by_remaining) {
            uint32_t number = able[n]->number;
            uint64_t expected = number < CS_MOST_WEIGHTS ? cs_shared->request.weights[number] : 0;
            uint64_t done = able[n]->operations;
            weights[n] *= expected > done ? expected - done : 1;
        }
    }
    return weighted(able, weights, count);
}

/* The next in the order of numbers after the one that ran. */
static struct cs_thread *next_in_turn(struct cs_thread *const *able, uint32_t count, const struct cs_thread *running)
{
    for (uint32_t n = 0; n < count; n++) {
        if (able[n]->number > running->number) {
            return able[n];
        }
    }
    return able[0];
}

static bool is_preempted(void)
{
    uint64_t now = cs_shared->result.operations;
    for (uint32_t n = 0; n < preemption_count; n++) {
        if (preemptions[n] == now) {
            return true;
        }
    }
    return false;
}

static struct cs_thread *preempt(struct cs_thread *const *able, uint32_t count, struct cs_thread *running,
                                 bool may_stay)
{
    if (may_stay && !is_preempted()) {
        return running;
    }
    struct cs_thread *others[count];
    uint32_t number = 0;
    for (uint32_t n = 0; n < count; n++) {
        if (able[n] != running) {
            others[number++] = able[n];
        }
    }
    return walk(others, number, false);
}

static struct cs_thread *selective(struct cs_thread *const *able, uint32_t count)
{
    struct cs_thread *candidates[count];
    uint32_t number = cs_selective_filter(able, count, candidates);
    return number > 0 ? walk(candidates, number, false) : walk(able, count, true);
}

struct cs_thread *cs_strategy_choose(struct cs_thread *const *able, uint32_t count, struct cs_thread *running,
                                     bool stays)
{
    bool may_stay = stays && !cs_spins(running) && running->streak < LONGEST;
    switch (strategy) {
    case CS_STRATEGY_RUN:
        return may_stay ? running : stays ? next_in_turn(able, count, running) : able[0];
    case CS_STRATEGY_ROUND:
        return next_in_turn(able, count, running);
    case CS_STRATEGY_PCT:
    case CS_STRATEGY_POS:
    case CS_STRATEGY_PCTWM:
        return cs_priorities_choose(able, count, running);
    case CS_STRATEGY_PREEMPT:
        return preempt(able, count, running, may_stay);
    case CS_STRATEGY_SURW:
        return selective(able, count);
    case CS_STRATEGY_WALK:
        break;
    }
    return walk(able, count, false);
}

void cs_strategy_reads(struct cs_thread *self, uint32_t *first, uint32_t *number)
{
    if (strategy == CS_STRATEGY_PCTWM) {
        cs_priorities_reads(self, first, number);
    }
}

void cs_strategy_created(struct cs_thread *thread) { cs_priorities_created(thread); }

void cs_strategy_executes(struct cs_thread *thread)
{
    if (has_priorities()) {
        cs_priorities_executes(thread);
    }
    if (strategy == CS_STRATEGY_SURW) {
        cs_selective_executes(thread);
    }
    cs_trace_executes(thread);
}
