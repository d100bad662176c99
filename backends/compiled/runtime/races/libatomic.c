/* Atomic operations on objects of any size, which compilers leave to a library: each is one visible operation here. The
 * record has their first 8 bytes.
 */
#include <dlfcn.h>
#include <string.h>

#include "atomics.h"

/* Compilers have functions of these names built in, with other types. */
#define NAMED(name) __asm__("__atomic_" name)
typedef void load_function(size_t size, const volatile void *from, void *to, int order);
typedef void store_function(size_t size, volatile void *to, const void *from, int order);
typedef void exchange_function(size_t size, volatile void *place, const void *from, void *to, int order);
typedef bool compare_function(size_t size, volatile void *place, void *expected, const void *desired, int order,
                              int failure);
CS_PUBLIC load_function cs_any_load NAMED("load");
CS_PUBLIC store_function cs_any_store NAMED("store");
CS_PUBLIC exchange_function cs_any_exchange NAMED("exchange");
CS_PUBLIC compare_function cs_any_compare NAMED("compare_exchange");

/* In threads that are not ours: the library's function, or, where it is not loaded, one lock for all. */
static char busy;

#define OTHERWISE(type, name, arguments, instead) \
    static type *real; \
    if (real == NULL && (real = (type *)dlsym(RTLD_NEXT, name)) == NULL) { \
        while (__atomic_test_and_set(&busy, __ATOMIC_ACQUIRE)) { \
        } \
        instead; \
        __atomic_clear(&busy, __ATOMIC_RELEASE); \
    } else { \
        real arguments; \
    }

static uint64_t shown(const volatile void *place, size_t size)
{
    return cs_value_at((uint64_t)place, size < 8 ? (uint32_t)size : 8);
}

static void announce(struct cs_thread *self, enum cs_op op, const volatile void *place, size_t size, int order)
{
    self->next = (struct cs_announced){
        .op = op,
        .size = (uint8_t)(size < 255 ? size : 255),
        .order = (uint8_t)(order & 15),
        .flags = cs_memory_flag((uint64_t)place),
        .object = (uint64_t)place,
        .deadline = CS_NEVER,
    };
    cs_go(self);
}

/* What the operation takes over and hands over; it comes before the memory changes. */
static void carry_out(struct cs_thread *self, const volatile void *place, size_t size, int order, bool reads,
                      bool writes)
{
    struct cs_location *location = cs_location((uint64_t)place, size < 8 ? (uint32_t)size : 8);
    uint8_t bits = writes ? CS_MARK_ATOMIC | CS_MARK_WRITE : CS_MARK_ATOMIC;
    order &= 15;
    if (location != NULL && reads) {
        cs_clock_join(cs_acquires(order) ? &self->clock : &self->acquirable, &location->clock);
    }
    cs_check(self, (uint64_t)place, size, bits, cs_caller(self));
    if (location != NULL && writes) {
        if (!reads) {
            cs_clock_clear(&location->clock);
        }
        cs_clock_join(&location->clock, cs_releases(order) ? &self->clock : &self->released);
        self->clock.time[self->number] += cs_releases(order);
    }
    cs_done(self, shown(place, size), 0);
}

static void finish(struct cs_thread *self, const void *after, size_t size)
{
    if (after != NULL) {
        struct cs_entry *entries = (struct cs_entry *)((char *)cs_shared + cs_shared->entries.offset);
        entries[self->entry].argument = shown(after, size);
    }
    self->inside = false;
}

void cs_any_load(size_t size, const volatile void *from, void *to, int order)
{
    struct cs_thread *self = cs_enter(__builtin_return_address(0));
    if (self == NULL) {
        OTHERWISE(load_function, "__atomic_load", (size, from, to, order), memcpy(to, (const void *)from, size))
        return;
    }
    announce(self, CS_atomic_load, from, size, order);
    carry_out(self, from, size, order, true, false);
    cs_note_read(self, (uint64_t)from, shown(from, size));
    memcpy(to, (const void *)from, size);
    finish(self, NULL, size);
}

void cs_any_store(size_t size, volatile void *to, const void *from, int order)
{
    struct cs_thread *self = cs_enter(__builtin_return_address(0));
    if (self == NULL) {
        OTHERWISE(store_function, "__atomic_store", (size, to, from, order), memcpy((void *)to, from, size))
        return;
    }
    announce(self, CS_atomic_store, to, size, order);
    carry_out(self, to, size, order, false, true);
    memcpy((void *)to, from, size);
    finish(self, from, size);
}

static void exchange(size_t size, volatile void *place, const void *from, void *to)
{
    for (size_t n = 0; n < size; n++) { /* `from` and `to` may be the same */
        char before = ((volatile char *)place)[n];
        ((volatile char *)place)[n] = ((const char *)from)[n];
        ((char *)to)[n] = before;
    }
}

void cs_any_exchange(size_t size, volatile void *place, const void *from, void *to, int order)
{
    struct cs_thread *self = cs_enter(__builtin_return_address(0));
    if (self == NULL) {
        OTHERWISE(exchange_function, "__atomic_exchange", (size, place, from, to, order),
                  exchange(size, place, from, to))
        return;
    }
    announce(self, CS_atomic_update, place, size, order);
    carry_out(self, place, size, order, true, true);
    exchange(size, place, from, to);
    finish(self, (const void *)place, size);
}

static bool compare(size_t size, volatile void *place, void *expected, const void *desired)
{
    if (memcmp((const void *)place, expected, size) == 0) {
        memcpy((void *)place, desired, size);
        return true;
    }
    memcpy(expected, (const void *)place, size);
    return false;
}

bool cs_any_compare(size_t size, volatile void *place, void *expected, const void *desired, int order, int failure)
{
    struct cs_thread *self = cs_enter(__builtin_return_address(0));
    bool done;
    if (self == NULL) {
        OTHERWISE(compare_function, "__atomic_compare_exchange",
                  (size, place, expected, desired, order, failure) ? (done = true) : (done = false),
                  done = compare(size, place, expected, desired))
        return done;
    }
    announce(self, CS_atomic_compare, place, size, order);
    done = memcmp((const void *)place, expected, size) == 0;
    carry_out(self, place, size, done ? order : failure, true, done);
    if (!done) {
        struct cs_entry *entries = (struct cs_entry *)((char *)cs_shared + cs_shared->entries.offset);
        entries[self->entry].op = CS_atomic_differs;
        entries[self->entry].argument = shown(expected, size);
        cs_note_read(self, (uint64_t)place, shown(place, size));
    }
    compare(size, place, expected, desired);
    finish(self, done ? desired : NULL, size);
    return done;
}
