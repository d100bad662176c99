/* A hash of the run that is the same for all runs that differ in the order of commuting operations only: it is made of
 * the order in each thread and the order on each object, where reads of an object commute. See A. Mazurkiewicz, "Trace
 * theory".
 */
#include "strategies.h"

#define EVERYTHING 1u     /* the object of operations that commute with nothing; no object is at this address */
#define THREAD_OBJECTS 2u /* threads by number: their handles depend on the system */

struct place {
    uint64_t address;
    uint64_t name;    /* the same in all runs */
    uint64_t written; /* the hash of the last operation that is no read */
    uint64_t read;    /* the sum of the reads since */
};

static struct place *table;
static uint32_t capacity, used;
static uint64_t hashes[CS_MOST_THREADS];

extern char __executable_start[] CS_HIDDEN, _end[] CS_HIDDEN;

enum cs_class cs_class_of(enum cs_op op)
{
#define LOCAL CS_CLASS_LOCAL
#define READ CS_CLASS_READ
#define WRITE CS_CLASS_WRITE
#define SYNC CS_CLASS_SYNC
#define ALL CS_CLASS_ALL
#define CS_OP(number, name, class) [CS_##name] = class,
    static const uint8_t classes[] = {
#include "operations.def"
    };
#undef CS_OP
#undef LOCAL
#undef READ
#undef WRITE
#undef SYNC
#undef ALL
    return op < sizeof classes ? (enum cs_class)classes[op] : CS_CLASS_ALL;
}

static uint64_t mixed(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ (hash >> 29)) * 0x94d049bb133111ebu;
    return hash ^ (hash >> 32);
}

static uint32_t slot_of(uint64_t address)
{
    uint32_t slot = (uint32_t)((address * 0x9e3779b97f4a7c15u) >> 32) & (capacity - 1);
    while (table[slot].address != 0 && table[slot].address != address) {
        slot = (slot + 1) & (capacity - 1);
    }
    return slot;
}

static void grow(void)
{
    struct place *before = table;
    uint32_t count = capacity;
    capacity = capacity == 0 ? 256 : 2 * capacity;
    table = cs_allocate(capacity * sizeof *table);
    for (uint32_t slot = 0; slot < count; slot++) {
        if (before[slot].address != 0) {
            table[slot_of(before[slot].address)] = before[slot];
        }
    }
}

/* What is on the heap or a stack may be elsewhere in the next run: its name is who came there first, and when. */
static struct place *place_at(uint64_t address, const struct cs_thread *first)
{
    if (2 * used >= capacity) {
        grow();
    }
    struct place *place = &table[slot_of(address)];
    if (place->address == 0) {
        bool is_static = address >= (uint64_t)__executable_start && address < (uint64_t)_end;
        place->address = address;
        place->name = is_static || address < CS_MOST_THREADS + THREAD_OBJECTS
            ? address
            : mixed(first->operations + 1, (uint64_t)first->number + (1ul << 63));
        used++;
    }
    return place;
}

static void become(uint32_t thread, uint64_t hash)
{
    cs_shared->result.schedule += mixed(hash, thread) - mixed(hashes[thread], thread);
    hashes[thread] = hash;
}

static uint64_t object_of(const struct cs_announced *next)
{
    switch (next->op) {
    case CS_end:
    case CS_join:
    case CS_create:
        return THREAD_OBJECTS + next->argument % CS_MOST_THREADS;
    default:
        return next->object >> 2 > EVERYTHING + THREAD_OBJECTS ? next->object & ~(uint64_t)3 : EVERYTHING;
    }
}

void cs_trace_executes(const struct cs_thread *thread)
{
    const struct cs_announced *next = &thread->next;
    enum cs_class class = cs_class_of(next->op);
    uint64_t hash = mixed(hashes[thread->number], (uint64_t)next->op << 1 | thread->timed_out);
    if (class != CS_CLASS_LOCAL) {
        bool two = next->op == CS_wait || next->op == CS_timed_wait || next->op == CS_wake;
        uint64_t addresses[] = {class == CS_CLASS_ALL ? EVERYTHING : object_of(next), next->argument};
        struct place *places[2];
        uint32_t count = two && next->argument != 0 ? 2 : 1;
        for (uint32_t n = 0; n < count; n++) { /* all first: the table may move */
            place_at(addresses[n], thread);
        }
        for (uint32_t n = 0; n < count; n++) {
            places[n] = place_at(addresses[n], thread);
            hash = mixed(mixed(hash, places[n]->name), places[n]->written);
            hash = class == CS_CLASS_READ ? hash : mixed(hash, places[n]->read);
        }
        for (uint32_t n = 0; n < count; n++) {
            if (class == CS_CLASS_READ) {
                places[n]->read += mixed(hash, thread->number);
            } else {
                places[n]->written = hash;
                places[n]->read = 0;
            }
        }
    }
    become(thread->number, hash);
}

void cs_trace_chooses(uint32_t kind, uint32_t value)
{
    const struct cs_thread *self = cs_self;
    uint32_t number = self != NULL ? self->number : 0;
    become(number, mixed(hashes[number], (uint64_t)kind << 32 | value));
}
