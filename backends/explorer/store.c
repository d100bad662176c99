/* The visited set.
 *
 * An exact record is: the place of the record of the state's parent (5 bytes), the cost where that counts (4), the
 * length of the state and how much of it is matched (1 to 5 bytes each, the second only where it is not all), and its
 * bytes. A slot of the table is the place of a record (40 bits) and a part of its hash (24 bits), so nearly all
 * comparisons with other states need no look at their records. The table doubles when it is two thirds full; for that,
 * all records are read in a row. */

#define _GNU_SOURCE
#include "store.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "pack.h"

enum { PARENT = 5, PLACE_BITS = 40 };
#define PLACES ((1ULL << PLACE_BITS) - 1)

static void *map(size_t size)
{
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED)
        return NULL;
    madvise(at, size, MADV_HUGEPAGE);
    return at;
}

void cs_store_begin(struct cs_store *store, enum cs_storing storing, unsigned int bits, size_t memory, bool with_cost)
{
    *store = (struct cs_store){
        .storing = storing,
        .most_memory = memory,
        .cost_size = with_cost ? sizeof(uint32_t) : 0,
        .slots = storing == CS_BITS ? 1ULL << (bits > 6 ? bits - 6 : 0) : 1 << 12,
        .arena_room = 1 << 16,
    };
    store->table = map(store->slots * sizeof *store->table);
    store->arena = map(store->arena_room);
    if (!store->table || !store->arena)
        abort();
    store->grows_at = store->slots / 3 * 2;
}

void cs_store_end(struct cs_store *store)
{
    munmap(store->table, store->slots * sizeof *store->table);
    munmap(store->arena, store->arena_room);
}

size_t cs_store_memory(const struct cs_store *store) { return store->slots * sizeof *store->table + store->arena_used; }

double cs_store_hash_factor(const struct cs_store *store)
{
    return store->count ? (double)(store->slots * 64) / (double)store->count : 0;
}

cs_place cs_store_next(const struct cs_store *store) { return store->arena_used; }

static bool fits(const struct cs_store *store, size_t more)
{
    return !store->most_memory || cs_store_memory(store) + more <= store->most_memory;
}

static unsigned char *write_number(unsigned char *to, uint32_t number)
{
    for (; number >= 128; number >>= 7)
        *to++ = (unsigned char)(number | 128);
    *to++ = (unsigned char)number;
    return to;
}

static const unsigned char *read_number(const unsigned char *from, uint32_t *number)
{
    unsigned int shift = 0;

    for (*number = 0; *from >= 128; shift += 7)
        *number |= (uint32_t)(*from++ & 127) << shift;
    *number |= (uint32_t)*from++ << shift;
    return from;
}

/* The first number is twice the length, plus one where less than all is matched. */
static const unsigned char *read_lengths(const unsigned char *from, uint32_t *length, uint32_t *matched)
{
    uint32_t number;

    from = read_number(from, &number);
    *length = *matched = number >> 1;
    return number & 1 ? read_number(from, matched) : from;
}

static uint64_t read_parent(const unsigned char *record)
{
    uint64_t parent = 0;
    memcpy(&parent, record, PARENT);
    return parent == PLACES ? CS_NOWHERE : parent;
}

static void write_parent(unsigned char *record, cs_place parent)
{
    uint64_t stored = parent == CS_NOWHERE ? PLACES : parent;
    memcpy(record, &stored, PARENT);
}

cs_place cs_store_get(const struct cs_store *store, cs_place place, struct cs_state *state)
{
    const unsigned char *record = store->arena + place;

    state->parent = read_parent(record);
    state->cost = 0;
    memcpy(&state->cost, record + PARENT, store->cost_size);
    state->bytes = read_lengths(record + PARENT + store->cost_size, &state->length, &state->matched);
    return (cs_place)(state->bytes + state->length - store->arena);
}

static bool add_record(struct cs_store *store, const struct cs_state *state, cs_place *place)
{
    size_t most = PARENT + store->cost_size + 10 + state->length;
    unsigned char *to;

    if (!fits(store, most) || store->arena_used + most >= PLACES)
        return false;
    if (store->arena_used + most > store->arena_room) {
        size_t room = store->arena_room * 2 + most;
        void *moved = mremap(store->arena, store->arena_room, room, MREMAP_MAYMOVE);
        if (moved == MAP_FAILED)
            return false;
        store->arena = moved;
        store->arena_room = room;
    }
    *place = store->arena_used;
    to = store->arena + store->arena_used;
    write_parent(to, state->parent);
    memcpy(to + PARENT, &state->cost, store->cost_size);
    to = write_number(to + PARENT + store->cost_size, state->length << 1 | (state->matched != state->length));
    if (state->matched != state->length)
        to = write_number(to, state->matched);
    memcpy(to, state->bytes, state->length);
    store->arena_used = (size_t)(to + state->length - store->arena);
    return true;
}

static uint64_t slot_of(const struct cs_store *store, uint64_t hash) { return hash & (store->slots - 1); }
static uint64_t fingerprint(uint64_t hash) { return hash & ~PLACES; }

void cs_store_prefetch(const struct cs_store *store, uint64_t hash)
{
    if (store->storing != CS_BITS)
        __builtin_prefetch(&store->table[slot_of(store, hash)]);
}

static void place_again(struct cs_store *store, uint64_t value, uint64_t hash)
{
    uint64_t slot = slot_of(store, hash);

    while (store->table[slot])
        slot = (slot + 1) & (store->slots - 1);
    store->table[slot] = value;
}

/* Most of the time here goes into waiting for memory, so a slot is fetched some records before it is needed. */
static void place_all_again(struct cs_store *store)
{
    enum { AHEAD = 16 };
    uint64_t values[AHEAD], hashes[AHEAD];
    size_t done = 0, next = 0;
    struct cs_state state;

    for (cs_place place = 0, after; place < store->arena_used; place = after, next++) {
        after = cs_store_get(store, place, &state);
        if (next - done == AHEAD) {
            place_again(store, values[done % AHEAD], hashes[done % AHEAD]);
            done++;
        }
        hashes[next % AHEAD] = cs_hash(state.bytes, state.matched);
        values[next % AHEAD] = fingerprint(hashes[next % AHEAD]) | (place + 1);
        cs_store_prefetch(store, hashes[next % AHEAD]);
    }
    for (; done < next; done++)
        place_again(store, values[done % AHEAD], hashes[done % AHEAD]);
}

/* Double the table. */
static __attribute__((noinline)) bool grow(struct cs_store *store)
{
    uint64_t *old = store->table, old_slots = store->slots;
    size_t old_size = old_slots * sizeof *old;
    bool exact = store->storing == CS_EXACT;

    if (!fits(store, old_size))
        return false;
    /* The slots of exact records can be made again from the records, so there are never two tables. */
    if (exact)
        munmap(old, old_size);
    store->table = map(2 * old_size);
    if (!store->table) {
        store->table = exact ? map(old_size) : old;
        if (!store->table)
            abort();
        if (exact)
            place_all_again(store);
        store->most_memory = 1; /* no more of it */
        return false;
    }
    store->slots *= 2;
    store->grows_at = store->slots / 3 * 2;
    if (exact) {
        place_all_again(store);
    } else {
        for (uint64_t i = 0; i < old_slots; i++)
            if (old[i])
                place_again(store, old[i], old[i]);
        munmap(old, old_size);
    }
    return true;
}

/* Whether there is room in the table for one more. Where it cannot grow any more, it becomes slower first. */
static inline bool has_room(struct cs_store *store)
{
    return store->count < store->grows_at || grow(store) || store->count < store->slots / 16 * 15;
}

void cs_store_prefetch_record(const struct cs_store *store, uint64_t hash)
{
    uint64_t found;

    if (store->storing != CS_EXACT)
        return;
    found = store->table[slot_of(store, hash)];
    if (found && !((found ^ hash) & ~PLACES))
        __builtin_prefetch(store->arena + (found & PLACES) - 1);
}

/* Three bits for each state, as in SPIN; each is chosen by another part of the hash. */
static enum cs_added add_bits(struct cs_store *store, uint64_t hash)
{
    enum cs_added added = CS_KNOWN;
    uint64_t step = (hash >> 32 | hash << 32) * 0x9fb21c651e98df25ULL | 1;

    for (int i = 0; i < 3; i++, hash += step) {
        uint64_t bit = hash & (store->slots * 64 - 1);
        if (!(store->table[bit / 64] >> (bit % 64) & 1)) {
            store->table[bit / 64] |= 1ULL << (bit % 64);
            added = CS_NEW;
        }
    }
    store->count += added == CS_NEW;
    return added;
}

static enum cs_added add_compact(struct cs_store *store, uint64_t hash)
{
    uint64_t slot, value = hash ? hash : 1;

    if (!has_room(store))
        return CS_FULL;
    for (slot = slot_of(store, value); store->table[slot]; slot = (slot + 1) & (store->slots - 1))
        if (store->table[slot] == value)
            return CS_KNOWN;
    store->table[slot] = value;
    store->count++;
    return CS_NEW;
}

enum cs_added cs_store_add(struct cs_store *store, const struct cs_state *state, cs_place *place)
{
    uint64_t slot, found;

    if (store->storing == CS_BITS)
        return add_bits(store, state->hash);
    if (store->storing == CS_COMPACT)
        return add_compact(store, state->hash);
    if (!has_room(store))
        return CS_FULL;
    for (slot = slot_of(store, state->hash); (found = store->table[slot]); slot = (slot + 1) & (store->slots - 1)) {
        struct cs_state known;
        if ((found ^ state->hash) & ~PLACES)
            continue;
        *place = (found & PLACES) - 1;
        cs_store_get(store, *place, &known);
        if (known.matched != state->matched || memcmp(known.bytes, state->bytes, state->matched) != 0)
            continue;
        if (!store->cost_size || known.cost <= state->cost)
            return CS_KNOWN;
        memcpy(store->arena + *place + PARENT, &state->cost, store->cost_size);
        write_parent(store->arena + *place, state->parent);
        return CS_CHEAPER;
    }
    if (!add_record(store, state, place))
        return CS_FULL;
    store->table[slot] = fingerprint(state->hash) | (*place + 1);
    store->count++;
    return CS_NEW;
}

cs_place cs_store_find(const struct cs_store *store, const struct cs_state *state)
{
    uint64_t found;

    for (uint64_t slot = slot_of(store, state->hash); (found = store->table[slot]);
         slot = (slot + 1) & (store->slots - 1)) {
        struct cs_state known;
        if ((found ^ state->hash) & ~PLACES)
            continue;
        cs_store_get(store, (found & PLACES) - 1, &known);
        if (known.matched == state->matched && memcmp(known.bytes, state->bytes, state->matched) == 0)
            return (found & PLACES) - 1;
    }
    return CS_NOWHERE;
}
