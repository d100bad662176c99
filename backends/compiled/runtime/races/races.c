/* Data races: two accesses to the same bytes, one of them a write, not both atomic, that nothing orders. */
#include <string.h>

#include "heap.h"
#include "plain.h"
#include "shadow.h"

/* Pairs of places whose race has been recorded in this run. */
static uint64_t (*pairs)[2];
static uint32_t pairs_capacity, pairs_used;

static bool note_pair(uint64_t first, uint64_t second);

static void more_pairs(void)
{
    uint64_t (*before)[2] = pairs;
    uint32_t count = pairs_capacity;
    pairs_capacity = count == 0 ? 64 : 2 * count;
    pairs = cs_allocate(pairs_capacity * sizeof *pairs);
    pairs_used = 0;
    for (uint32_t n = 0; n < count; n++) {
        if (before[n][1] != 0) {
            note_pair(before[n][0], before[n][1]);
        }
    }
}

/* Whether the pair is new; from now on it is not. */
static bool note_pair(uint64_t first, uint64_t second)
{
    if (2 * (pairs_used + 1) > pairs_capacity) {
        more_pairs();
    }
    uint64_t low = first < second ? first : second;
    uint64_t high = first < second ? second : first;
    uint32_t slot = (uint32_t)(((low * 0x9e3779b97f4a7c15u) ^ (high * 0xbf58476d1ce4e5b9u)) >> 32);
    for (;; slot++) {
        uint64_t *pair = pairs[slot & (pairs_capacity - 1)];
        if (pair[1] == 0) {
            pair[0] = low;
            pair[1] = high;
            pairs_used++;
            return true;
        }
        if (pair[0] == low && pair[1] == high) {
            return false;
        }
    }
}

static enum cs_access_kind kind_of(uint8_t bits)
{
    return bits & CS_MARK_FREE ? CS_ACCESS_FREE : bits & CS_MARK_WRITE ? CS_ACCESS_WRITE : CS_ACCESS_READ;
}

uint8_t cs_memory_flag(uint64_t address)
{
    for (uint32_t n = 0; n < cs_thread_count; n++) {
        if (address >= cs_threads[n]->stack_low && address < cs_threads[n]->stack_high) {
            return CS_STACK_MEMORY;
        }
    }
    return 0;
}

/* Memory in which the program itself says that races are none. */
static struct {
    uint64_t low, high;
} tolerated[64];
static uint32_t tolerated_count;

void cs_tolerate(uint64_t address, uint64_t size)
{
    if (tolerated_count < sizeof tolerated / sizeof tolerated[0]) {
        tolerated[tolerated_count].low = address;
        tolerated[tolerated_count++].high = address + size;
    }
}

static bool is_tolerated(uint64_t address)
{
    for (uint32_t n = 0; n < tolerated_count; n++) {
        if (address >= tolerated[n].low && address < tolerated[n].high) {
            return true;
        }
    }
    return false;
}

void cs_race(struct cs_thread *self, const struct cs_mark *mark, uint64_t address, uint32_t size, uint8_t bits,
             uint64_t pc)
{
    struct cs_shared *shared = cs_shared;
    const struct cs_frame *frames = (const struct cs_frame *)((char *)shared + shared->frames.offset);
    uint64_t first = frames[mark->stack].pc;
    if (is_tolerated(address) || !note_pair(first, pc) || shared->result.races >= shared->races.capacity) {
        return;
    }
    struct cs_race *races = (struct cs_race *)((char *)shared + shared->races.offset);
    races[shared->result.races] = (struct cs_race){
        .first =
            {
                .pc = first,
                .stack = mark->stack,
                .entry = mark->entry,
                .thread = mark->thread,
                .kind = kind_of(mark->bits),
                .atomic = (mark->bits & CS_MARK_ATOMIC) != 0,
                .size = (uint8_t)__builtin_popcount(mark->mask),
                .is_volatile = (mark->bits & CS_MARK_VOLATILE) != 0,
            },
        .second =
            {
                .pc = pc,
                .stack = cs_stack(self, pc),
                .entry = shared->result.entries,
                .thread = (uint16_t)self->number,
                .kind = kind_of(bits),
                .atomic = (bits & CS_MARK_ATOMIC) != 0,
                .size = (uint8_t)size,
                .is_volatile = (bits & CS_MARK_VOLATILE) != 0,
            },
        .address = address,
        .value = cs_value_at(address, size),
    };
    __atomic_store_n(&shared->result.races, shared->result.races + 1, __ATOMIC_RELEASE);
    if (shared->request.flags & CS_FIRST_RACE) {
        cs_end(CS_END_exited, 0, NULL, 0, NULL);
    }
}

/* Whether what races with an access `before` races with the later access `now` too, so that `before` can go. */
static inline bool covers(uint8_t now, uint8_t before)
{
    if (now & CS_MARK_ATOMIC) {
        return before & CS_MARK_ATOMIC && (now & CS_MARK_WRITE || !(before & CS_MARK_WRITE));
    }
    return now & CS_MARK_WRITE || !(before & CS_MARK_WRITE);
}

static inline bool conflict(uint8_t one, uint8_t other)
{
    return (one | other) & CS_MARK_WRITE && !(one & other & CS_MARK_ATOMIC);
}

static inline bool happened_before(const struct cs_thread *self, const struct cs_mark *mark)
{
    return mark->thread == self->number
        || (mark->thread < self->clock.size && mark->time <= self->clock.time[mark->thread]);
}

/* One access to some of the 8 bytes at `base`. */
static void check_cell(struct cs_thread *self, struct cs_page *page, uint64_t base, uint8_t mask, uint8_t bits,
                       uint64_t pc, bool races)
{
    uint32_t *cell = &page->cells[cs_cell(base)], *link = cell, index;
    uint32_t now = self->clock.time[self->number];
    if (page->locations != NULL && (bits & (CS_MARK_WRITE | CS_MARK_ATOMIC)) == CS_MARK_WRITE) {
        cs_overwritten(page, base + (uint32_t)__builtin_ctz(mask), (uint32_t)__builtin_popcount(mask));
    }
    bool known = bits & CS_MARK_FREE || !races;
    while ((index = *link) != 0) {
        struct cs_mark *mark = &cs_marks[index];
        uint8_t common = mark->mask & mask;
        if (common == 0) {
            link = &mark->next;
            continue;
        }
        if (!happened_before(self, mark)) {
            if (races && conflict(bits, mark->bits)) {
                uint32_t first = (uint32_t)__builtin_ctz(common);
                cs_race(self, mark, base + first, (uint32_t)__builtin_popcount(common), bits, pc);
            }
        } else if (mark->thread == self->number && mark->time == now && common == mask && covers(mark->bits, bits)) {
            known = true;
        } else if (covers(bits, mark->bits)) {
            mark->mask &= (uint8_t)~mask;
            if (mark->mask == 0) {
                *link = mark->next;
                cs_mark_free(index);
                continue;
            }
        }
        link = &mark->next;
    }
    if (known || (index = cs_mark_new()) == 0) {
        return;
    }
    cs_marks[index] = (struct cs_mark){
        .time = now,
        .stack = cs_stack(self, pc),
        .entry = cs_shared->result.entries,
        .next = *cell,
        .thread = (uint16_t)self->number,
        .mask = mask,
        .bits = bits,
    };
    *cell = index;
}

void cs_check(struct cs_thread *self, uint64_t address, uint64_t size, uint8_t bits, uint64_t pc)
{
    if (cs_heap_bad(address, size)) {
        cs_bad_access(self, address, (uint32_t)size, kind_of(bits), pc);
    }
    bool races = (cs_shared->request.flags & CS_NO_RACES) == 0 && self->ignored == 0;
    uint64_t at = address, end = address + size;
    while (at < end) {
        uint32_t first = at & 7;
        uint32_t count = end - at < 8 - first ? (uint32_t)(end - at) : 8 - first;
        struct cs_page *page = bits & CS_MARK_FREE ? cs_page_known(at) : cs_page(at);
        if (page == NULL) { /* nothing is known of it */
            at = (at | ((1ul << CS_PAGE_BITS) - 1)) + 1;
            continue;
        }
        check_cell(self, page, at & ~7ul, cs_mask(first, count), bits, pc, races);
        at += count;
    }
}

static const uint8_t bits_of[] = {
    [CS_ACCESS_READ] = 0, [CS_ACCESS_WRITE] = CS_MARK_WRITE, [CS_ACCESS_FREE] = CS_MARK_WRITE | CS_MARK_FREE};

void cs_access(struct cs_thread *self, uint64_t address, uint32_t size, enum cs_access_kind kind, bool atomic,
               uint64_t pc)
{
    cs_check(self, address, size, bits_of[kind] | (atomic ? CS_MARK_ATOMIC : 0), pc);
}

void cs_range(struct cs_thread *self, const void *address, size_t size, enum cs_access_kind kind)
{
    uint64_t pc = cs_caller(self);
    if (cs_plain_mode & CS_PLAIN_WATCHED && kind != CS_ACCESS_READ) {
        cs_repetition_write(self, (uint64_t)address);
    }
    if (size > 0 && kind != CS_ACCESS_FREE && cs_is_site(pc)) {
        cs_plain_step(self, kind == CS_ACCESS_WRITE ? CS_write : CS_read, address, (uint32_t)(size < 255 ? size : 255),
                      pc);
    }
    cs_check(self, (uint64_t)address, size, bits_of[kind], pc);
}
