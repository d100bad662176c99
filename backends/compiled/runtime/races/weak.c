/* Older values for atomic loads (CS_WEAK): the last stores of each location, and which of them a load may read. An
 * exhaustive search notes where a thread could have read or come before older ones, but reads the newest. */
#include <string.h>

#include "atomics.h"

#define KEPT 8    /* stores of a location */
#define STALE 4   /* older values in a row that a thread reads from a location, at most */
#define FENCES 64 /* that are looked at */

struct store {
    cs_wide value;
    uint64_t stamp;          /* in the order of all stores and fences */
    uint64_t read;           /* when a sequentially consistent load read it first, or 0 */
    uint32_t time;           /* of the thread's clock */
    uint16_t thread;         /* CS_NOBODY: it happened before everything */
    bool total;              /* it is sequentially consistent */
    struct cs_clock clock;   /* what it hands over */
    struct cs_clock readers; /* when each thread read it last */
};

/* The stores of a location in their modification order, which is that of their execution. */
struct cs_history {
    struct store stores[KEPT];
    uint32_t first, count; /* a ring */
    uint8_t stale[64];     /* older values in a row, by thread modulo 64 */
};

/* A sequentially consistent fence: what happened before it or before an earlier one. */
struct fence {
    uint64_t stamp;
    uint32_t time;
    uint16_t thread;
    struct cs_clock fenced;
};

static uint64_t stamps;
static struct fence *fences;
static uint32_t fence_count, fence_capacity;

void cs_history_clear(struct cs_history *history)
{
    history->count = 0;
    memset(history->stale, 0, sizeof history->stale);
}

static struct store *store_at(struct cs_history *history, uint32_t back)
{
    return &history->stores[(history->first + history->count - 1 - back) % KEPT];
}

static struct store *append(struct cs_history *history)
{
    if (history->count == KEPT) {
        history->first = (history->first + 1) % KEPT;
        history->count--;
    }
    history->count++;
    struct store *store = store_at(history, 0);
    cs_clock_clear(&store->clock);
    cs_clock_clear(&store->readers);
    return store;
}

/* The history of a location whose newest value is `newest`: after a plain write there are no older values. */
static struct cs_history *history_of(struct cs_location *location, cs_wide newest)
{
    if (location->history == NULL) {
        location->history = cs_allocate(sizeof *location->history);
    }
    struct cs_history *history = location->history;
    if (history->count == 0 || store_at(history, 0)->value != newest) {
        cs_history_clear(history);
        struct store *store = append(history);
        store->value = newest;
        store->stamp = 0;
        store->read = 0;
        store->time = 0;
        store->thread = CS_NOBODY;
        store->total = false;
        cs_clock_copy(&store->clock, &location->clock);
    }
    return history;
}

/* Whether a store happened before what `clock` stands for. */
static bool store_before(const struct cs_clock *clock, const struct store *store)
{
    return store->thread == CS_NOBODY || cs_before(clock, store->thread, store->time);
}

static bool read_before(const struct cs_clock *clock, const struct store *store)
{
    for (uint32_t n = 0; n < store->readers.size; n++) {
        if (store->readers.time[n] != 0 && cs_before(clock, n, store->readers.time[n])) {
            return true;
        }
    }
    return false;
}

/* The latest fence that happened before what the thread does now. Where many were made, a later one may stand for it,
 * which allows fewer values. */
static const struct fence *last_fence(const struct cs_thread *self)
{
    for (uint32_t back = 1; back <= fence_count; back++) {
        const struct fence *fence = &fences[fence_count - back];
        if (cs_before(&self->clock, fence->thread, fence->time) || back == FENCES) {
            return fence;
        }
    }
    return NULL;
}

/* Whether `clock` knows of the store or of a load that read it. */
static bool noticed(const struct cs_clock *clock, const struct store *store)
{
    return store_before(clock, store) || read_before(clock, store);
}

/* Whether a load must not read anything older than `store`, as C++20 says in [intro.races] and [atomics.order]. The
 * total order of all sequentially consistent operations is that of their execution. */
static bool hides(const struct cs_thread *self, const struct store *store, const struct fence *fence, bool total)
{
    if (noticed(&self->clock, store)) {
        return true;
    }
    if (total
        && (store->total || store->read != 0 || (fence_count > 0 && noticed(&fences[fence_count - 1].fenced, store)))) {
        return true;
    }
    return fence != NULL
        && ((store->total && store->stamp < fence->stamp) || (store->read != 0 && store->read < fence->stamp)
            || noticed(&fence->fenced, store));
}

uint8_t cs_weak_unheard(const struct cs_thread *self, struct cs_location *location, cs_wide newest)
{
    if (location == NULL || location->mixed) {
        return CS_UNKNOWN;
    }
    struct cs_history *history = history_of(location, newest);
    uint8_t count = 0;
    while (count < history->count && !noticed(&self->clock, store_at(history, count))) {
        count++;
    }
    return count == history->count ? CS_UNKNOWN : count + 1;
}

uint8_t cs_weak_loose(const struct cs_thread *self, const struct cs_location *location)
{
    if (location == NULL || location->mixed || location->history == NULL || location->history->count == 0) {
        return CS_LOOSE;
    }
    return store_before(&self->clock, store_at(location->history, 0)) ? 0 : CS_LOOSE;
}

cs_wide cs_weak_load(struct cs_thread *self, struct cs_location *location, cs_wide newest, int order,
                     const struct cs_clock **clock)
{
    struct cs_history *history = history_of(location, newest);
    const struct fence *fence = last_fence(self);
    uint16_t options[KEPT];
    uint32_t count = 0;
    do {
        options[count] = (uint16_t)count;
        count++;
    } while (count < history->count && !hides(self, store_at(history, count - 1), fence, order == __ATOMIC_SEQ_CST));
    uint8_t *stale = &history->stale[self->number % sizeof history->stale];
    if (*stale >= STALE) {
        count = 1;
    }
    uint32_t back = cs_choose_store(self, options, count);
    *stale = back == 0 ? 0 : (uint8_t)(*stale + 1);
    struct store *store = store_at(history, back);
    cs_clock_reach(&store->readers, self->number, self->clock.time[self->number]);
    if (order == __ATOMIC_SEQ_CST && store->read == 0) {
        store->read = ++stamps;
    }
    *clock = &store->clock;
    return store->value;
}

void cs_weak_read_newest(struct cs_thread *self, struct cs_location *location, cs_wide newest)
{
    struct cs_history *history = history_of(location, newest);
    cs_clock_reach(&store_at(history, 0)->readers, self->number, self->clock.time[self->number]);
}

void cs_weak_store(struct cs_thread *self, struct cs_location *location, cs_wide before, cs_wide value, uint32_t time,
                   int order)
{
    struct cs_history *history = history_of(location, before);
    if (location->mixed) {
        cs_history_clear(history);
        return;
    }
    struct store *store = append(history);
    store->value = value;
    store->stamp = ++stamps;
    store->read = 0;
    store->time = time;
    store->thread = (uint16_t)self->number;
    store->total = order == __ATOMIC_SEQ_CST;
    cs_clock_copy(&store->clock, &location->clock);
}

void cs_weak_fence(struct cs_thread *self)
{
    if (fence_count == fence_capacity) {
        struct fence *before = fences;
        fence_capacity = fence_capacity == 0 ? 64 : 2 * fence_capacity;
        fences = cs_allocate(fence_capacity * sizeof *fences);
        if (fence_count > 0) {
            memcpy(fences, before, fence_count * sizeof *fences);
        }
    }
    struct fence *fence = &fences[fence_count];
    fence->stamp = ++stamps;
    fence->time = self->clock.time[self->number];
    fence->thread = (uint16_t)self->number;
    if (fence_count > 0) {
        cs_clock_copy(&fence->fenced, &fences[fence_count - 1].fenced);
    }
    cs_clock_join(&fence->fenced, &self->clock);
    fence_count++;
}
