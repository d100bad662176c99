/* Atomic operations: each is a visible operation, and hands over what happened before as C11 and C++20 say. */
#include <string.h>

#include "atomics.h"
#include "heap.h"
#include "objects.h"

static cs_wide peek(const volatile void *address, uint32_t size)
{
    cs_wide value = 0;
    switch (size) {
    case 1:
        return __atomic_load_n((const volatile uint8_t *)address, __ATOMIC_SEQ_CST);
    case 2:
        return __atomic_load_n((const volatile uint16_t *)address, __ATOMIC_SEQ_CST);
    case 4:
        return __atomic_load_n((const volatile uint32_t *)address, __ATOMIC_SEQ_CST);
    case 8:
        return __atomic_load_n((const volatile uint64_t *)address, __ATOMIC_SEQ_CST);
    default:
        memcpy(&value, (const void *)address, sizeof value);
        return value;
    }
}

static void poke(volatile void *address, uint32_t size, cs_wide value)
{
    switch (size) {
    case 1:
        __atomic_store_n((volatile uint8_t *)address, (uint8_t)value, __ATOMIC_SEQ_CST);
        break;
    case 2:
        __atomic_store_n((volatile uint16_t *)address, (uint16_t)value, __ATOMIC_SEQ_CST);
        break;
    case 4:
        __atomic_store_n((volatile uint32_t *)address, (uint32_t)value, __ATOMIC_SEQ_CST);
        break;
    case 8:
        __atomic_store_n((volatile uint64_t *)address, (uint64_t)value, __ATOMIC_SEQ_CST);
        break;
    default:
        memcpy((void *)address, &value, sizeof value);
    }
}

cs_wide cs_updated(enum cs_update update, cs_wide value, cs_wide operand, uint32_t size)
{
    cs_wide result = operand;
    switch (update) {
    case CS_EXCHANGE:
        break;
    case CS_ADD:
        result = value + operand;
        break;
    case CS_SUB:
        result = value - operand;
        break;
    case CS_AND:
        result = value & operand;
        break;
    case CS_OR:
        result = value | operand;
        break;
    case CS_XOR:
        result = value ^ operand;
        break;
    case CS_NAND:
        result = ~(value & operand);
        break;
    }
    return size < sizeof result ? result & (((cs_wide)1 << (8 * size)) - 1) : result;
}

/* ---- the record ---- */

static void announce(struct cs_thread *self, enum cs_op op, const volatile void *address, uint32_t size,
                     uint64_t argument, int order)
{
    self->next = (struct cs_announced){
        .op = op,
        .size = (uint8_t)size,
        .order = (uint8_t)order,
        .flags = cs_memory_flag((uint64_t)address),
        .object = (uint64_t)address,
        .argument = argument,
        .deadline = CS_NEVER,
    };
    cs_go(self);
}

static struct cs_entry *entry_of(const struct cs_thread *self) { return cs_entry_at(self->entry); }

static void note_write(struct cs_thread *self, cs_wide before, cs_wide after)
{
    if (before != after) {
        self->stale = 0;
    }
}

/* ---- what happens before ---- */

static void take_over(struct cs_thread *self, const struct cs_clock *clock, int order)
{
    if (cs_acquires(order)) {
        cs_acquire(self, clock);
    } else {
        cs_clock_join(&self->acquirable, clock);
    }
}

static void take_over_all(struct cs_thread *self, const struct cs_location *location, uint32_t size, int order)
{
    take_over(self, &location->clock, order);
    if (location->mixed) {
        uint64_t address = location->address;
        for (const struct cs_location *other = cs_locations_near(address); other != NULL; other = other->next) {
            if (other != location && other->address < address + size && address < other->address + other->size) {
                take_over(self, &other->clock, order);
            }
        }
    }
    if (size == 1) { /* the byte of a guard, which the runtime itself writes */
        const struct cs_object *object = cs_known_object((const void *)location->address);
        if (object != NULL && object->kind == CS_KIND_GUARD) {
            take_over(self, &object->clock, order);
        }
    }
}

/* What a store hands over. continues: it is a read-modify-write operation, so that a release sequence goes on. */
static void hand_over(struct cs_thread *self, struct cs_location *location, int order, bool continues)
{
    if (!continues) {
        cs_clock_clear(&location->clock);
    }
    cs_clock_join(&location->clock, cs_releases(order) ? &self->clock : &self->released);
    if (location->mixed) {
        for (struct cs_location *other = cs_locations_near(location->address); other != NULL; other = other->next) {
            if (other != location && other->address < location->address + location->size
                && location->address < other->address + other->size) {
                cs_clock_join(&other->clock, &location->clock);
            }
        }
    }
}

/* After a release, the thread's own time goes on: what follows is not part of it. */
static void tick(struct cs_thread *self, int order)
{
    if (cs_releases(order)) {
        self->clock.time[self->number]++;
    }
}

void cs_publish(struct cs_thread *self, const void *address, uint32_t size)
{
    struct cs_location *location = cs_location((uint64_t)address, size);
    if (location != NULL) {
        hand_over(self, location, __ATOMIC_RELEASE, false);
        tick(self, __ATOMIC_RELEASE);
    }
}

/* ---- operations ---- */

static bool is_weak(void) { return (cs_shared->request.flags & CS_WEAK) != 0; }

/* Whether the search is for a proof, which has to know where older values could have been read. */
static bool is_watched(void) { return (cs_shared->request.flags & (CS_WEAK | CS_SLEEP_SETS)) == CS_SLEEP_SETS; }

static void note_unheard(const struct cs_thread *self, struct cs_location *location, cs_wide newest)
{
    if (is_watched()) {
        entry_of(self)->unheard = cs_weak_unheard(self, location, newest);
    }
}

static void note_loose(const struct cs_thread *self, const struct cs_location *location)
{
    if (is_watched()) {
        entry_of(self)->unheard |= cs_weak_loose(self, location);
    }
}

cs_wide cs_atomic_load(struct cs_thread *self, const volatile void *address, uint32_t size, int order)
{
    announce(self, CS_atomic_load, address, size, 0, order);
    struct cs_location *location = cs_location((uint64_t)address, size);
    cs_wide value = peek(address, size);
    note_unheard(self, location, value);
    if (location != NULL) {
        const struct cs_clock *clock = NULL;
        if (is_weak() && !location->mixed) {
            value = cs_weak_load(self, location, value, order, &clock);
        }
        if (clock != NULL) {
            take_over(self, clock, order);
        } else {
            take_over_all(self, location, size, order);
        }
        if (is_watched()) {
            cs_weak_read_newest(self, location, value);
        }
    }
    note_loose(self, location);
    cs_check(self, (uint64_t)address, size, CS_MARK_ATOMIC, cs_caller(self));
    cs_note_read(self, (uint64_t)address, (uint64_t)value);
    cs_done(self, (uint64_t)value, 0);
    return value;
}

/* The second half of an operation that writes. */
static void write_value(struct cs_thread *self, volatile void *address, uint32_t size, struct cs_location *location,
                        cs_wide before, cs_wide after, int order, bool continues)
{
    cs_check(self, (uint64_t)address, size, CS_MARK_ATOMIC | CS_MARK_WRITE, cs_caller(self));
    poke(address, size, after);
    if (location != NULL) {
        hand_over(self, location, order, continues);
        if (is_weak() || is_watched()) {
            cs_weak_store(self, location, before, after, self->clock.time[self->number], order);
        }
    }
    tick(self, order);
    note_write(self, before, after);
    entry_of(self)->argument = (uint64_t)after;
    cs_done(self, (uint64_t)before, 0);
}

void cs_atomic_store(struct cs_thread *self, volatile void *address, uint32_t size, cs_wide value, int order)
{
    announce(self, CS_atomic_store, address, size, (uint64_t)value, order);
    struct cs_location *location = cs_location((uint64_t)address, size);
    cs_wide before = peek(address, size);
    note_unheard(self, location, before);
    write_value(self, address, size, location, before, value, order, false);
}

cs_wide cs_atomic_update(struct cs_thread *self, volatile void *address, uint32_t size, enum cs_update update,
                         cs_wide operand, int order)
{
    announce(self, CS_atomic_update, address, size, (uint64_t)operand, order);
    struct cs_location *location = cs_location((uint64_t)address, size);
    cs_wide before = peek(address, size);
    note_unheard(self, location, before);
    if (location != NULL) {
        take_over_all(self, location, size, order);
    }
    note_loose(self, location);
    cs_wide after = cs_updated(update, before, operand, size);
    if (before == after) { /* such as a lock that is taken by exchange */
        cs_note_read(self, (uint64_t)address, (uint64_t)before);
    }
    write_value(self, address, size, location, before, after, order, true);
    return before;
}

/* Whether a weak compare-exchange that could succeed fails: never twice in a row for the same thread. */
static bool fails_spuriously(const struct cs_thread *self, struct cs_location *location)
{
    static const uint16_t options[] = {0, 1};
    if (!(cs_shared->request.flags & CS_SPURIOUS) || location == NULL) {
        return false;
    }
    uint16_t mine = (uint16_t)(self->number + 1);
    bool fails = location->failed != mine && cs_choose(CS_CHOICE_FAILS, options, 2) == 1;
    location->failed = fails ? mine : 0;
    return fails;
}

bool cs_atomic_compare(struct cs_thread *self, volatile void *address, uint32_t size, cs_wide *expected,
                       cs_wide desired, int order, int failure_order, bool weak)
{
    announce(self, CS_atomic_compare, address, size, (uint64_t)desired, order);
    if (size >= sizeof(void *)) {
        cs_heap_compared();
    }
    struct cs_location *location = cs_location((uint64_t)address, size);
    cs_wide before = peek(address, size);
    note_unheard(self, location, before);
    bool equal = before == *expected;
    bool spurious = equal && weak && fails_spuriously(self, location);
    if (equal && !spurious) {
        if (location != NULL) {
            take_over_all(self, location, size, order);
        }
        note_loose(self, location);
        write_value(self, address, size, location, before, desired, order, true);
        return true;
    }
    if (location != NULL) {
        take_over_all(self, location, size, failure_order);
        if (is_weak() || is_watched()) {
            cs_weak_read_newest(self, location, before);
        }
    }
    note_loose(self, location);
    cs_check(self, (uint64_t)address, size, CS_MARK_ATOMIC, cs_caller(self));
    cs_note_read(self, (uint64_t)address, (uint64_t)before);
    struct cs_entry *entry = entry_of(self);
    entry->op = CS_atomic_differs;
    entry->order = (uint8_t)failure_order;
    entry->argument = (uint64_t)*expected;
    cs_done(self, (uint64_t)before, spurious ? CS_FAILED : 0);
    *expected = before;
    return false;
}
