/* A hash table with open addressing that is filled with compare-and-swap, as in LTSmin (Laarman, van de Pol and Weber,
 * "Boosting multi-core reachability performance with shared hash tables", FMCAD 2010), and records in an arena.
 *
 * A record is written completely before a slot of the table shows its place, and then only its head changes. Who loses
 * a slot to somebody else has written a record for nothing, and writes the next one over it.
 *
 * The head has 64 bits: whether the record is fresh; whether there is a suffix; how long the matched part is; and the
 * rank of the state that it belongs to or, when it is no longer fresh, the place of its parent. */

#include "table.h"

#include <string.h>
#include <unistd.h>

#include "../pack.h"

enum { PLACE_BITS = 40, LENGTH_BITS = 22, HEAD = 8, LEAST_SLOTS = 1 << 14 };
#define PLACES ((1ULL << PLACE_BITS) - 1)
#define LONG ((1ULL << LENGTH_BITS) - 1) /* the length comes after the head */
#define FRESH (1ULL << 63)
#define HAS_SUFFIX (1ULL << 62)

enum { SMALL_CHUNK = 1 << 16, LARGE_CHUNK = 1 << 20, LARGE_MEMORY = 1 << 28 };

static size_t slots_size(uint64_t slots) { return slots * sizeof(uint64_t); }
static uint64_t *head_at(const struct cs_table *table, cs_place place) { return (uint64_t *)(table->arena + place); }
static uint64_t load(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }

bool cs_table_begin(struct cs_table *table, size_t memory, size_t suffix)
{
    size_t all = memory ? memory : (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);

    *table = (struct cs_table){.suffix = suffix, .most_memory = memory};
    if (all > PLACES / 2)
        all = PLACES / 2;
    table->chunk = all < LARGE_MEMORY ? SMALL_CHUNK : LARGE_CHUNK;
    table->most_chunks = all / table->chunk + 1;
    for (table->most_slots = LEAST_SLOTS; slots_size(table->most_slots) <= all / 2;)
        table->most_slots *= 2;
    table->slots = cs_shared_new(slots_size(table->most_slots));
    table->arena = cs_shared_new(table->most_chunks * table->chunk);
    table->used = cs_shared_new(table->most_chunks * sizeof *table->used);
    table->slot_count = LEAST_SLOTS;
    table->grows_at = table->slot_count / 3 * 2;
    if (table->slots && table->arena && table->used)
        return true;
    cs_table_end(table);
    return false;
}

void cs_table_end(struct cs_table *table)
{
    cs_shared_free(table->slots, slots_size(table->most_slots));
    cs_shared_free(table->arena, table->most_chunks * table->chunk);
    cs_shared_free(table->used, table->most_chunks * sizeof *table->used);
}

size_t cs_table_memory(const struct cs_table *table)
{
    return slots_size(table->slot_count) + __atomic_load_n(&table->chunks, __ATOMIC_RELAXED) * table->chunk;
}

static bool fits(const struct cs_table *table, size_t more)
{
    return !table->most_memory || cs_table_memory(table) + table->others + more <= table->most_memory;
}

/* As many chunks as *size* bytes need; CS_NOWHERE where there are no more. */
static cs_place take_chunks(struct cs_table *table, size_t size)
{
    uint64_t count = (size + table->chunk - 1) / table->chunk, first;

    if (!fits(table, count * table->chunk))
        return CS_NOWHERE;
    first = __atomic_fetch_add(&table->chunks, count, __ATOMIC_RELAXED);
    if (first + count > table->most_chunks) {
        __atomic_fetch_sub(&table->chunks, count, __ATOMIC_RELAXED);
        return CS_NOWHERE;
    }
    cs_shared_populate(table->arena + first * table->chunk, count * table->chunk);
    memset(table->used + first, 0, count * sizeof *table->used);
    return first * table->chunk;
}

void *cs_table_room(struct cs_table *table, size_t size)
{
    cs_place at = take_chunks(table, size);
    return at == CS_NOWHERE ? NULL : table->arena + at;
}

static uint64_t slot_of(const struct cs_table *table, uint64_t hash) { return hash & (table->slot_count - 1); }
static uint64_t fingerprint(uint64_t hash) { return hash & ~PLACES; }

void cs_table_prefetch(const struct cs_table *table, uint64_t hash)
{
    __builtin_prefetch(&table->slots[slot_of(table, hash)]);
}

void cs_table_prefetch_record(const struct cs_table *table, uint64_t hash)
{
    uint64_t found = load(&table->slots[slot_of(table, hash)]);

    if (found && !((found ^ hash) & ~PLACES))
        __builtin_prefetch(table->arena + (found & PLACES) - 1);
}

bool cs_table_reserve(struct cs_table *table, uint64_t more)
{
    if (__atomic_add_fetch(&table->count, more, __ATOMIC_RELAXED) <= table->grows_at)
        return true;
    cs_table_release(table, more);
    return false;
}

void cs_table_release(struct cs_table *table, uint64_t unused)
{
    if (unused > 0)
        __atomic_fetch_sub(&table->count, unused, __ATOMIC_RELAXED);
}

/* Where the matched part of a record begins, and its length. */
static const unsigned char *matched_part(const uint64_t *record, uint64_t head, uint64_t *length)
{
    const unsigned char *bytes = (const unsigned char *)(record + 1);

    *length = head >> PLACE_BITS & LONG;
    if (*length < LONG)
        return bytes;
    memcpy(length, bytes, sizeof *length);
    return bytes + sizeof *length;
}

static bool is_at(const struct cs_table *table, cs_place place, const struct cs_state *state, uint64_t *head)
{
    const uint64_t *record = head_at(table, place);
    const unsigned char *bytes;
    uint64_t length;

    *head = load(record);
    bytes = matched_part(record, *head, &length);
    return length == state->matched && memcmp(bytes, state->bytes, length) == 0;
}

/* Write a record where the next one of this process comes. Returns its size, or 0 where there is no room. */
static size_t write_record(struct cs_table *table, struct cs_writer *writer, const struct cs_state *state,
                           uint64_t rank)
{
    uint64_t length = state->matched, stored = length < LONG ? length : LONG;
    size_t extra = stored == LONG ? sizeof length : 0;
    size_t size = (HEAD + extra + length + table->suffix + 7) / 8 * 8;
    unsigned char *to;

    if (writer->at + size > writer->end) {
        cs_place first = take_chunks(table, size);
        if (first == CS_NOWHERE)
            return 0;
        writer->first = writer->at = first;
        writer->end = first + (size + table->chunk - 1) / table->chunk * table->chunk;
    }
    to = table->arena + writer->at;
    *head_at(table, writer->at) = FRESH | stored << PLACE_BITS | rank;
    memcpy(to + HEAD, &length, extra);
    memcpy(to + HEAD + extra, state->bytes, length);
    return size;
}

/* A fresh record that somebody with a larger rank has added belongs to this rank now. */
static enum cs_added claim(struct cs_table *table, cs_place place, uint64_t head, uint64_t rank)
{
    while ((head & FRESH) && (head & PLACES) > rank)
        if (__atomic_compare_exchange_n(head_at(table, place), &head, (head & ~PLACES) | rank, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE))
            return CS_CHEAPER;
    return CS_KNOWN;
}

enum cs_added cs_table_add(struct cs_table *table, struct cs_writer *writer, const struct cs_state *state,
                           uint64_t rank, cs_place *place)
{
    uint64_t slot = slot_of(table, state->hash), found = load(&table->slots[slot]), head, value;
    size_t size = 0;

    for (;;) {
        for (; found; slot = (slot + 1) & (table->slot_count - 1), found = load(&table->slots[slot])) {
            if ((found ^ state->hash) & ~PLACES)
                continue;
            *place = (found & PLACES) - 1;
            if (is_at(table, *place, state, &head))
                return claim(table, *place, head, rank);
        }
        if (size == 0 && (size = write_record(table, writer, state, rank)) == 0)
            return CS_FULL;
        value = fingerprint(state->hash) | (writer->at + 1);
        if (!__atomic_compare_exchange_n(&table->slots[slot], &found, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            continue;
        *place = writer->at;
        writer->at += size;
        table->used[writer->first / table->chunk] = writer->at - writer->first;
        return CS_NEW;
    }
}

bool cs_table_has_old(const struct cs_table *table, const struct cs_state *state)
{
    uint64_t found, head;

    for (uint64_t slot = slot_of(table, state->hash); (found = load(&table->slots[slot]));
         slot = (slot + 1) & (table->slot_count - 1))
        if (!((found ^ state->hash) & ~PLACES) && is_at(table, (found & PLACES) - 1, state, &head))
            return !(head & FRESH);
    return false;
}

bool cs_table_belongs(const struct cs_table *table, cs_place place, uint64_t rank)
{
    uint64_t head = load(head_at(table, place));
    return (head & FRESH) && (head & PLACES) == rank;
}

void cs_table_settle(struct cs_table *table, cs_place place, cs_place parent, const unsigned char *suffix)
{
    uint64_t *record = head_at(table, place), length;
    uint64_t head = (*record & ~(FRESH | PLACES)) | (parent & PLACES);

    if (suffix) {
        unsigned char *matched = (unsigned char *)matched_part(record, head, &length);
        memcpy(matched + length, suffix, table->suffix);
        head |= HAS_SUFFIX;
    }
    __atomic_store_n(record, head, __ATOMIC_RELEASE);
}

void cs_table_get(const struct cs_table *table, cs_place place, struct cs_state *state)
{
    const uint64_t *record = head_at(table, place);
    uint64_t head = load(record), length;

    state->bytes = matched_part(record, head, &length);
    state->matched = (uint32_t)length;
    state->length = (uint32_t)(length + (head & HAS_SUFFIX ? table->suffix : 0));
    state->parent = (head & PLACES) == PLACES ? CS_NOWHERE : head & PLACES;
    state->cost = 0;
}

bool cs_table_grow(struct cs_table *table)
{
    if (table->slot_count * 2 <= table->most_slots && fits(table, slots_size(table->slot_count))) {
        table->slot_count *= 2;
        table->grows_at = table->slot_count / 3 * 2;
        return true;
    }
    /* It becomes slower first. */
    if (table->grows_at == table->slot_count / 16 * 15)
        return false;
    table->grows_at = table->slot_count / 16 * 15;
    return true;
}

/* A part begins at the beginning of a page. */
static size_t part_of(const struct cs_table *table, unsigned int part, unsigned int parts)
{
    size_t size = slots_size(table->slot_count), page = (size_t)sysconf(_SC_PAGESIZE);
    return part == parts ? size : size / parts * part / page * page;
}

void cs_table_clear(struct cs_table *table, unsigned int part, unsigned int parts)
{
    size_t from = part_of(table, part, parts), to = part_of(table, part + 1, parts);

    cs_shared_clear((unsigned char *)table->slots + from, to - from);
    cs_shared_populate((unsigned char *)table->slots + from, to - from);
}

void cs_table_prepare(struct cs_table *table) { table->next_part = 0; }

static void place_again(struct cs_table *table, uint64_t value, uint64_t hash)
{
    uint64_t slot = slot_of(table, hash), expected = 0;

    while (!__atomic_compare_exchange_n(&table->slots[slot], &expected, value, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED)) {
        slot = (slot + 1) & (table->slot_count - 1);
        expected = 0;
    }
}

/* As place_all_again in store.c. */
static void place_chunk_again(struct cs_table *table, uint64_t chunk)
{
    enum { AHEAD = 16 };
    uint64_t values[AHEAD], hashes[AHEAD], length;
    cs_place place = chunk * table->chunk, end = place + table->used[chunk];
    size_t done = 0, next = 0;

    for (; place < end; next++) {
        const uint64_t *record = head_at(table, place);
        const unsigned char *bytes = matched_part(record, *record, &length);
        if (next - done == AHEAD) {
            place_again(table, values[done % AHEAD], hashes[done % AHEAD]);
            done++;
        }
        hashes[next % AHEAD] = cs_hash(bytes, length);
        values[next % AHEAD] = fingerprint(hashes[next % AHEAD]) | (place + 1);
        cs_table_prefetch(table, hashes[next % AHEAD]);
        place = ((cs_place)(bytes + length + table->suffix - table->arena) + 7) / 8 * 8;
    }
    for (; done < next; done++)
        place_again(table, values[done % AHEAD], hashes[done % AHEAD]);
}

void cs_table_fill(struct cs_table *table)
{
    uint64_t chunks = table->chunks, chunk;

    while ((chunk = __atomic_fetch_add(&table->next_part, 1, __ATOMIC_RELAXED)) < chunks)
        place_chunk_again(table, chunk);
}

void cs_table_empty(struct cs_table *table)
{
    memset(table->used, 0, table->chunks * sizeof *table->used);
    table->chunks = table->count = 0;
    cs_shared_clear(table->slots, slots_size(table->slot_count));
}
