/* Sleep sets, for the exhaustive search: after the prescribed choices, a thread that sleeps does not go on until an
 * operation is executed that its own next one depends on. What it would do first has been explored already.
 *
 * P. Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems", chapter 5.
 */
#include "strategies.h"

static uint64_t asleep; /* the threads 0 to 63, a bit each */

enum class { LOCAL, READ, WRITE, SYNC, ALL };

static enum class class_of(enum cs_op op)
{
    switch (op) {
#define CS_OP(number, name, class) \
    case CS_##name: \
        return class;
#include "operations.def"
#undef CS_OP
    }
    return ALL;
}

/* Handles of threads are used again, their numbers are not. */
static bool is_on_thread(const struct cs_announced *one)
{
    return one->op == CS_end || one->op == CS_join || one->op == CS_detach;
}

/* What an operation is on: one or two ranges of cells of 4 bytes, from `low` to `high`. Returns how many. */
static int cells(const struct cs_announced *one, uint64_t *low, uint64_t *high)
{
    if (is_on_thread(one)) {
        low[0] = high[0] = ~one->argument;
        return 1;
    }
    low[0] = one->object >> 2;
    high[0] = (one->object + (one->size > 0 ? one->size - 1u : 0)) >> 2;
    low[1] = high[1] = one->argument >> 2;
    return one->op == CS_wait || one->op == CS_timed_wait || one->op == CS_wake ? 2 : 1;
}

static bool touches(const struct cs_announced *one, const struct cs_announced *other)
{
    uint64_t low[2], high[2], other_low[2], other_high[2];
    int most = cells(one, low, high), others = cells(other, other_low, other_high);
    for (int n = 0; n < most; n++) {
        for (int k = 0; k < others; k++) {
            if (low[n] <= other_high[k] && other_low[k] <= high[n]) {
                return true;
            }
        }
    }
    return false;
}

/* Whether the order of two operations of different threads matters: `dependent` in modules/runs/compiled/ says the
 * same. */
static bool are_dependent(const struct cs_announced *one, const struct cs_announced *other)
{
    if (one->op == CS_exit || other->op == CS_exit) {
        return true;
    }
    enum class first = class_of(one->op), second = class_of(other->op);
    if (first == LOCAL || second == LOCAL) {
        return false;
    }
    if (first == ALL || second == ALL) {
        return true;
    }
    return touches(one, other) && !(first == READ && second == READ);
}

void cs_sleep_begin(uint64_t threads) { asleep = threads; }

uint32_t cs_sleep_filter(struct cs_thread **able, uint32_t count)
{
    if (asleep == 0) {
        return count;
    }
    uint32_t kept = 0;
    for (uint32_t n = 0; n < count; n++) {
        if (able[n]->number >= 64 || (asleep & 1ul << able[n]->number) == 0) {
            able[kept++] = able[n];
        }
    }
    if (kept == 0) {
        cs_end(CS_END_redundant, 0, NULL, 0, NULL);
    }
    return kept;
}

void cs_sleep_executes(const struct cs_thread *thread)
{
    for (uint32_t n = 0; asleep != 0 && n < cs_thread_count && n < 64; n++) {
        if ((asleep & 1ul << n) != 0 && are_dependent(&cs_threads[n]->next, &thread->next)) {
            asleep &= ~(1ul << n);
        }
    }
}

bool cs_dependent(const struct cs_announced *one, const struct cs_announced *other)
{
    return are_dependent(one, other);
}
