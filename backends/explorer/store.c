/* The visited set.
 *
 * An exact record is: where the record of the state's parent is (5 bytes), its cost where that counts (4), its length
 * and how much of it is matched (1 to 5 bytes each, the second only where it is not all), its bytes. A slot of the
 * table is where a record begins (40 bits) and a part of its hash (24 bits), so that nearly all comparisons with other
 * states need no look at them. The table doubles when it is two thirds full, which reads all records in a row. */

#define _GNU_SOURCE
#include "store.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "pack.h"

enum { PARENT = 5, PLACE_BITS = 40 };
#define PLACES ((1ULL << PLACE_BITS) - 1)

static enum cs_storing storing;
static size_t most_memory;
static uint64_t count;
static size_t cost_size;

/* Slots: place + 1 and fingerprint, or with CS_COMPACT the hash, or bits; 0 is free. */
static uint64_t *table;
static uint64_t slots;

static unsigned char *arena;
static size_t arena_used, arena_room;

static void *map(size_t size)
{
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED)
        return NULL;
    madvise(at, size, MADV_HUGEPAGE);
    return at;
}

void cs_store_begin(enum cs_storing how, unsigned int bits, size_t memory, bool with_cost)
{
    if (table)
        munmap(table, slots * sizeof *table);
    if (arena)
        munmap(arena, arena_room);
    cost_size = with_cost ? sizeof(uint32_t) : 0;
    storing = how;
    most_memory = memory;
    count = arena_used = 0;
    slots = how == CS_BITS ? 1ULL << (bits > 6 ? bits - 6 : 0) : 1 << 12;
    table = map(slots * sizeof *table);
    arena_room = 1 << 16;
    arena = map(arena_room);
    if (!table || !arena)
        abort();
}

size_t cs_store_memory(void) { return slots * sizeof *table + arena_used; }
uint64_t cs_store_count(void) { return count; }
double cs_store_hash_factor(void) { return count ? (double)(slots * 64) / (double)count : 0; }
cs_place cs_store_first(void) { return 0; }
cs_place cs_store_end(void) { return arena_used; }

static bool fits(size_t more) { return !most_memory || cs_store_memory() + more <= most_memory; }

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

cs_place cs_store_get(cs_place place, struct cs_state *state)
{
    const unsigned char *record = arena + place;

    state->parent = read_parent(record);
    state->cost = 0;
    memcpy(&state->cost, record + PARENT, cost_size);
    state->bytes = read_lengths(record + PARENT + cost_size, &state->length, &state->matched);
    return (cs_place)(state->bytes + state->length - arena);
}

static bool add_record(const struct cs_state *state, cs_place *place)
{
    size_t most = PARENT + cost_size + 10 + state->length;
    unsigned char *to;

    if (!fits(most) || arena_used + most >= PLACES)
        return false;
    if (arena_used + most > arena_room) {
        size_t room = arena_room * 2 + most;
        void *moved = mremap(arena, arena_room, room, MREMAP_MAYMOVE);
        if (moved == MAP_FAILED)
            return false;
        arena = moved;
        arena_room = room;
    }
    *place = arena_used;
    to = arena + arena_used;
    write_parent(to, state->parent);
    memcpy(to + PARENT, &state->cost, cost_size);
    to = write_number(to + PARENT + cost_size, state->length << 1 | (state->matched != state->length));
    if (state->matched != state->length)
        to = write_number(to, state->matched);
    memcpy(to, state->bytes, state->length);
    arena_used = (size_t)(to + state->length - arena);
    return true;
}

static uint64_t slot_of(uint64_t hash) { return hash & (slots - 1); }
static uint64_t fingerprint(uint64_t hash) { return hash & ~PLACES; }

void cs_store_prefetch(uint64_t hash)
{
    if (storing != CS_BITS)
        __builtin_prefetch(&table[slot_of(hash)]);
}

static void place_again(uint64_t value, uint64_t hash)
{
    uint64_t slot = slot_of(hash);

    while (table[slot])
        slot = (slot + 1) & (slots - 1);
    table[slot] = value;
}

/* A slot that is needed is fetched some records earlier, as most of the time is spent waiting for memory here. */
static void place_all_again(void)
{
    enum { AHEAD = 16 };
    uint64_t values[AHEAD], hashes[AHEAD];
    size_t done = 0, next = 0;
    struct cs_state state;

    for (cs_place place = 0, behind; place < arena_used; place = behind, next++) {
        behind = cs_store_get(place, &state);
        if (next - done == AHEAD) {
            place_again(values[done % AHEAD], hashes[done % AHEAD]);
            done++;
        }
        hashes[next % AHEAD] = cs_hash(state.bytes, state.matched);
        values[next % AHEAD] = fingerprint(hashes[next % AHEAD]) | (place + 1);
        cs_store_prefetch(hashes[next % AHEAD]);
    }
    for (; done < next; done++)
        place_again(values[done % AHEAD], hashes[done % AHEAD]);
}

/* Double the table. */
static bool grow(void)
{
    uint64_t *old = table, old_slots = slots;

    if (!fits(slots * sizeof *table))
        return false;
    /* The slots of exact records can be made again from the records, so that there are never two tables. */
    if (storing == CS_EXACT)
        munmap(old, old_slots * sizeof *table);
    table = map(slots * 2 * sizeof *table);
    if (!table) {
        table = storing == CS_EXACT ? map(slots * sizeof *table) : old;
        if (!table)
            abort();
        if (storing == CS_EXACT)
            place_all_again();
        most_memory = 1; /* no more of it */
        return false;
    }
    slots *= 2;
    if (storing == CS_EXACT) {
        place_all_again();
    } else {
        for (uint64_t i = 0; i < old_slots; i++)
            if (old[i])
                place_again(old[i], old[i]);
        munmap(old, old_slots * sizeof *table);
    }
    return true;
}

static bool has_to_grow(void) { return count >= slots / 3 * 2; }

/* Where the table cannot grow any more, it becomes slower first. */
static bool is_full(void) { return count >= slots / 16 * 15; }

void cs_store_prefetch_record(uint64_t hash)
{
    uint64_t slot = slot_of(hash);

    if (storing == CS_EXACT && table[slot] && !((table[slot] ^ hash) & ~PLACES))
        __builtin_prefetch(arena + (table[slot] & PLACES) - 1);
}

/* Three bits for each state, as SPIN does; each is chosen by another part of the hash. */
static enum cs_added add_bits(uint64_t hash)
{
    enum cs_added added = CS_KNOWN;
    uint64_t step = (hash >> 32 | hash << 32) * 0x9fb21c651e98df25ULL | 1;

    for (int i = 0; i < 3; i++, hash += step) {
        uint64_t bit = hash & (slots * 64 - 1);
        if (!(table[bit / 64] >> (bit % 64) & 1)) {
            table[bit / 64] |= 1ULL << (bit % 64);
            added = CS_NEW;
        }
    }
    count += added == CS_NEW;
    return added;
}

static enum cs_added add_compact(uint64_t hash)
{
    uint64_t slot, value = hash ? hash : 1;

    if (has_to_grow() && !grow() && is_full())
        return CS_FULL;
    for (slot = slot_of(value); table[slot]; slot = (slot + 1) & (slots - 1))
        if (table[slot] == value)
            return CS_KNOWN;
    table[slot] = value;
    count++;
    return CS_NEW;
}

enum cs_added cs_store_add(const struct cs_state *state, cs_place *place)
{
    uint64_t slot;

    if (storing == CS_BITS)
        return add_bits(state->hash);
    if (storing == CS_COMPACT)
        return add_compact(state->hash);
    if (has_to_grow() && !grow() && is_full())
        return CS_FULL;
    for (slot = slot_of(state->hash); table[slot]; slot = (slot + 1) & (slots - 1)) {
        struct cs_state known;
        if ((table[slot] ^ state->hash) & ~PLACES)
            continue;
        *place = (table[slot] & PLACES) - 1;
        cs_store_get(*place, &known);
        if (known.matched != state->matched || memcmp(known.bytes, state->bytes, state->matched) != 0)
            continue;
        if (!cost_size || known.cost <= state->cost)
            return CS_KNOWN;
        memcpy(arena + *place + PARENT, &state->cost, cost_size);
        write_parent(arena + *place, state->parent);
        return CS_CHEAPER;
    }
    if (!add_record(state, place))
        return CS_FULL;
    table[slot] = fingerprint(state->hash) | (*place + 1);
    count++;
    return CS_NEW;
}
