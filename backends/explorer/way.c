#include "way.h"

#include <stdlib.h>
#include <string.h>

void *cs_grow(void *array, size_t needed, size_t *room, size_t size)
{
    *room = needed * 2 + 64;
    array = realloc(array, *room * size);
    if (!array)
        abort();
    return array;
}

static size_t way_size(const struct cs_way *way) { return sizeof *way + way->chosen * sizeof *way->choices; }
static size_t open_size(const struct cs_open *open) { return sizeof *open + open->length; }

struct cs_open *cs_open_new(struct cs_open *parent, const struct cs_leg *leg, const struct cs_state *state,
                            size_t *memory)
{
    size_t choices = leg->chosen * sizeof *leg->choices;
    struct cs_way *way = cs_allocate(sizeof *way + choices);
    struct cs_open *open = cs_allocate(sizeof *open + state->length);

    *way = (struct cs_way){parent ? parent->way : NULL, 1, leg->thread, leg->transitions, leg->chosen};
    if (choices > 0)
        memcpy(way->choices, leg->choices, choices);
    if (way->before)
        way->before->users++;
    *open = (struct cs_open){way, state->length, state->matched};
    memcpy(open->key, state->bytes, state->length);
    *memory += way_size(way) + open_size(open);
    return open;
}

static void release(struct cs_way *way, size_t *memory)
{
    while (way && --way->users == 0) {
        struct cs_way *before = way->before;
        *memory -= way_size(way);
        free(way);
        way = before;
    }
}

void cs_open_free(struct cs_open *open, size_t *memory)
{
    *memory -= open_size(open);
    release(open->way, memory);
    free(open);
}

void cs_retrace_open(const struct cs_open *open, struct cs_schedule *schedule)
{
    const struct cs_way **ways = NULL;
    size_t length = 0, room = 0;

    for (const struct cs_way *way = open->way; way; way = way->before) {
        ways = cs_enough_room(ways, length + 1, &room, sizeof *ways);
        ways[length++] = way;
    }
    for (; length > 0; length--) {
        const struct cs_way *way = ways[length - 1];
        cs_schedule_add(schedule, &(struct cs_leg){way->thread, way->transitions, way->chosen, way->choices});
    }
    free(ways);
}

/* The way from a record to its child: the leg that leads to *sought*. */
struct retrace {
    const struct cs_keys *keys;
    struct cs_state sought;
    struct cs_schedule *schedule;
};

static bool on_successor(struct cs_expander *self, const struct cs_leg *leg)
{
    struct retrace *retrace = self->context;
    const struct cs_state *sought = &retrace->sought;

    if (!cs_key_is(retrace->keys, sought->bytes, sought->length, sought->matched, leg->thread))
        return true;
    cs_schedule_add(retrace->schedule, leg);
    return false;
}

static bool on_event(struct cs_expander *self, const struct cs_event *event)
{
    (void)self;
    (void)event;
    return true;
}

/* All successors are wanted. */
static bool is_old(struct cs_expander *self)
{
    (void)self;
    return false;
}

void cs_retrace_record(const struct cs_expander *expander, const struct cs_keys *keys, const struct cs_store *store,
                       cs_place last, struct cs_schedule *schedule)
{
    struct retrace retrace = {.keys = keys, .schedule = schedule};
    struct cs_expander again = *expander;
    cs_place *way = NULL;
    size_t length = 0, room = 0;
    struct cs_state state;

    again.context = &retrace;
    again.successor = on_successor;
    again.event = on_event;
    again.tired = NULL;
    again.allowed = NULL;
    again.is_new = again.is_new ? is_old : NULL;
    again.look_only = false;
    for (cs_place place = last; place != CS_NOWHERE; place = state.parent) {
        way = cs_enough_room(way, length + 1, &room, sizeof *way);
        way[length++] = place;
        cs_store_get(store, place, &state);
    }
    for (; length > 1; length--) {
        cs_store_get(store, way[length - 1], &state);
        cs_key_restore(keys, state.bytes, state.length, state.matched);
        cs_store_get(store, way[length - 2], &retrace.sought);
        cs_expand(&again);
    }
    free(way);
}
