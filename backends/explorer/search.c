/* The searches: expand a state that waits, add its successors to those that have been seen, have the new ones wait. */

#include "result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontier.h"
#include "key.h"
#include "pack.h"

/* A state that waits and is not stored (the exact ones are), with the way to it. */
struct open {
    struct way *way;
    uint32_t length, matched;
    unsigned char key[];
};

/* The last leg of a way; kept as long as something behind it waits. */
struct way {
    struct way *before;
    unsigned int users, thread, transitions, chosen;
    struct cs_choice choices[];
};

/* Successors of the state that is being expanded, and breadth-first of those before it. They are looked up together, so
 * that the processor can fetch what is needed for one while it waits for another. */
enum { MOST_PENDING = 32, MOST_SUCCESSORS = 4096 };
static struct pending {
    struct cs_state state; /* bytes: as an offset, from `keys` on */
    size_t at;
    long long metric;
    struct cs_leg leg;
    size_t choices; /* where they begin in `chosen` */
    uint32_t depth, cost;
} *pending;
static size_t pending_count, pending_room, keys_used, keys_room, chosen_used, chosen_room;
static unsigned char *keys;
static struct cs_choice *chosen;

static const struct cs_options *options;
static struct cs_result *result;
static struct cs_expander expander;

/* The state that is being expanded. */
static struct cs_waiting now;
static cs_place now_place;
static struct open *now_open;
static unsigned int now_last;

/* Breadth-first on exact records these are the queue: what comes next, and where the states at the same depth end. */
static bool walks;
static cs_place next_place, layer_end;
/* What a state that comes again has to have less of to be looked at again. */
static bool counts_cost, counts_depth;

static bool full, hook_failed;
static double started, next_telling;
static size_t open_memory;
static uint64_t expanded, successors;

/* What was found, with its legs; the way to the state that is expanded is added when that is done. */
static struct cs_event found;
static struct cs_schedule found_legs;
static bool is_found;

static void *enough_room(void *array, size_t needed, size_t *room, size_t size)
{
    if (needed <= *room)
        return array;
    *room = needed * 2 + 64;
    array = realloc(array, *room * size);
    if (!array)
        abort();
    return array;
}

static bool on_event(struct cs_expander *self, const struct cs_event *event)
{
    (void)self;
    if (event->kind == CS_CUT_OFF) {
        cs_note(&result->cuts, event->text);
        return true;
    }
    if (!is_found) {
        is_found = true;
        found = *event;
        for (unsigned int i = 0; i < event->legs; i++)
            cs_schedule_add(&found_legs, &event->leg[i]);
    }
    return false;
}

/* Musuvathi and Qadeer: a switch is preemptive where the last thread could have gone on. (In Fig. 4 of the paper on
 * pancam nobody may go on where two others than the last thread are enabled and the bound is reached.) */
static bool is_preemptive(unsigned int thread)
{
    return now_last != CS_NOBODY && thread != now_last && (expander.enabled >> now_last & 1);
}

static unsigned long long within_bound(struct cs_expander *self, unsigned long long enabled)
{
    self->enabled = enabled;
    if (options->preemptions >= 0 && (int)now.cost >= options->preemptions && now_last != CS_NOBODY
        && (enabled >> now_last & 1)) {
        if (enabled & ~(1ULL << now_last))
            cs_note(&result->limits, "preemptions");
        return 1ULL << now_last;
    }
    return enabled;
}

static size_t memory_in_use(void) { return cs_store_memory() + cs_frontier_memory() + open_memory; }

/* Null while it may go on. */
static const char *out_of_bounds(void)
{
    if (full || (options->memory && memory_in_use() > options->memory))
        return "memory";
    if (options->seconds > 0 && cs_now() - started > options->seconds)
        return "time";
    return NULL;
}

/* Now and then, say how far it is: seconds, states, depth, states that wait. */
static void tell_progress(uint64_t waiting)
{
    double now_is;

    if (options->telling <= 0 || (expanded & 63) != 0 || (now_is = cs_now()) < next_telling)
        return;
    next_telling = now_is + options->telling;
    fprintf(stderr, "progress %.3f %llu %llu %llu\n", now_is - started, (unsigned long long)cs_store_count(),
            (unsigned long long)result->depth, (unsigned long long)waiting);
}

static void settle_all(void);

static bool is_tired(struct cs_expander *self)
{
    (void)self;
    return out_of_bounds();
}

static void ask_metric(void *to) { *(long long *)to = __CSEQ_metric(); }

static bool on_successor(struct cs_expander *self, const struct cs_leg *leg)
{
    struct pending *next;
    uint32_t cost = now.cost + (expander.allowed && is_preemptive(leg->thread));

    struct cs_circumstances how = {leg->thread, cost, now.depth + 1};

    (void)self;
    pending = enough_room(pending, pending_count + 1, &pending_room, sizeof *pending);
    keys = enough_room(keys, keys_used + cs_key_most(), &keys_room, 1);
    chosen = enough_room(chosen, chosen_used + leg->chosen, &chosen_room, sizeof *chosen);
    next = &pending[pending_count++];
    successors++;
    next->at = keys_used;
    next->leg = *leg;
    next->choices = chosen_used;
    next->metric = 0;
    next->depth = now.depth + 1;
    next->cost = cost;
    next->state.parent = now_place;
    if (leg->chosen > 0)
        memcpy(chosen + chosen_used, leg->choices, leg->chosen * sizeof *chosen);
    chosen_used += leg->chosen;
    if (!cs_key(keys + keys_used, how, &next->state.length, &next->state.matched)
        || (options->order == CS_HEURISTIC && __CSEQ_metric && cs_protected(ask_metric, &next->metric) != CS_MADE))
        hook_failed = true;
    next->state.hash = cs_hash(keys + keys_used, next->state.matched);
    next->state.cost = counts_depth ? next->depth : cost;
    keys_used += next->state.length;
    cs_store_prefetch(next->state.hash);
    if (pending_count < MOST_SUCCESSORS)
        return true;
    settle_all(); /* a choice of many */
    return !out_of_bounds();
}

static void release(struct way *way)
{
    while (way && --way->users == 0) {
        struct way *before = way->before;
        open_memory -= sizeof *way + way->chosen * sizeof *way->choices;
        free(way);
        way = before;
    }
}

static struct open *open_state(const struct pending *from)
{
    size_t choices = from->leg.chosen * sizeof(struct cs_choice);
    struct way *way = cs_allocate(sizeof *way + choices);
    struct open *open = cs_allocate(sizeof *open + from->state.length);

    *way = (struct way){now_open ? now_open->way : NULL, 1, from->leg.thread, from->leg.transitions, from->leg.chosen};
    memcpy(way->choices, chosen + from->choices, choices);
    if (way->before)
        way->before->users++;
    *open = (struct open){way, from->state.length, from->state.matched};
    memcpy(open->key, keys + from->at, from->state.length);
    open_memory += sizeof *way + choices + sizeof *open + from->state.length;
    return open;
}

/* Add a successor to the states that have been seen, and to those that wait if it is new. */
static void settle(struct pending *next)
{
    struct cs_waiting waiting = {.depth = next->depth, .cost = next->cost};
    cs_place place = CS_NOWHERE;

    next->state.bytes = keys + next->at;
    result->transitions++;
    switch (cs_store_add(&next->state, &place)) {
    case CS_KNOWN:
        result->matched++;
        return;
    case CS_FULL:
        full = true;
        return;
    case CS_NEW:
    case CS_CHEAPER:
        break;
    }
    if (waiting.depth > result->depth)
        result->depth = waiting.depth;
    if (walks)
        return;
    waiting.what = options->storing == CS_EXACT ? place : (uint64_t)(uintptr_t)open_state(next);
    cs_frontier_add(waiting, next->metric);
}

static void settle_all(void)
{
    /* Depth-first, the first successor is to be taken first. */
    bool backwards = options->order == CS_DFS;

    for (size_t i = 0; i < pending_count; i++)
        cs_store_prefetch_record(pending[i].state.hash);
    for (size_t i = 0; i < pending_count && !full; i++)
        settle(&pending[backwards ? pending_count - 1 - i : i]);
    pending_count = keys_used = chosen_used = 0;
}

/* The next state that waits, put into the section; false when there is none. */
static bool take_next(void)
{
    struct cs_state state;

    if (walks) {
        if (next_place == layer_end) {
            settle_all();
            if (next_place == cs_store_end())
                return false;
            now.depth += layer_end > 0;
            layer_end = cs_store_end();
        }
        now_place = next_place;
        next_place = cs_store_get(now_place, &state);
        now_last = cs_key_restore(state.bytes, state.length, state.matched);
        return true;
    }
    do {
        if (!cs_frontier_take(&now))
            return false;
        if (options->storing != CS_EXACT) {
            now_open = (struct open *)(uintptr_t)now.what;
            now_last = cs_key_restore(now_open->key, now_open->length, now_open->matched);
            return true;
        }
        now_place = now.what;
        cs_store_get(now_place, &state);
        /* One that came again at lower cost is in the line twice. */
    } while ((counts_cost && state.cost < now.cost) || (counts_depth && state.cost < now.depth));
    now_last = cs_key_restore(state.bytes, state.length, state.matched);
    return true;
}

static void done_with_state(void)
{
    if (!now_open)
        return;
    open_memory -= sizeof *now_open + now_open->length;
    release(now_open->way);
    free(now_open);
    now_open = NULL;
}

static void begin(void)
{
    bool bounded = options->preemptions >= 0 || options->order == CS_ICB;

    /* Within a bound, a state that comes again with more left of it has to be looked at again: where it is stored as a
     * whole, it is found to be cheaper, in one respect; in others, what has been used up of the bound is matched.
     * Breadth-first, the first time that a state comes is also the one at the lowest depth. */
    bool exact = options->storing == CS_EXACT && !__CSEQ_abstract;
    bool bounds_depth = options->depth > 0 && options->order != CS_BFS;
    counts_depth = exact && bounds_depth;
    counts_cost = exact && bounded && options->depth == 0;
    walks = options->order == CS_BFS && options->storing == CS_EXACT && !bounded;
    cs_key_begin(bounded, bounded && !counts_cost, bounds_depth && !counts_depth);
    cs_store_begin(options->storing, options->bits, options->memory, counts_cost || counts_depth);
    cs_frontier_begin(options->order, options->seed);
    expander = (struct cs_expander){
        .check = options->check,
        .reduce = options->reduce && !bounded && cs_can_reduce(),
        .longest = options->longest ? options->longest : 64,
        .probe = bounded,
        .allowed = bounded ? within_bound : NULL,
        .successor = on_successor,
        .event = on_event,
        .tired = is_tired,
    };
    if (options->storing == CS_COMPACT)
        cs_note(&result->limits, "hash compaction");
    if (options->storing == CS_BITS)
        cs_note(&result->limits, "bitstate hashing");
    if (__CSEQ_abstract)
        cs_note(&result->limits, "abstraction");
    expanded = next_place = layer_end = 0;
    pending_count = keys_used = chosen_used = 0;
    now = (struct cs_waiting){.depth = 0};
    full = is_found = false;
    found_legs.count = 0;
    now_place = CS_NOWHERE;
    now_last = CS_NOBODY;
    now.depth = ~0u; /* the initial state comes one behind it */
    on_successor(&expander, &(struct cs_leg){CS_NOBODY, 0, 0, NULL});
    settle_all();
    now.depth = 0;
    result->transitions = 0;
}

/* To find the way from an exact record to its child again. */
static struct cs_state sought;
static struct cs_schedule *retraced;

static bool retrace_successor(struct cs_expander *self, const struct cs_leg *leg)
{
    (void)self;
    if (!cs_key_is(sought.bytes, sought.length, sought.matched, leg->thread))
        return true;
    cs_schedule_add(retraced, leg);
    return false;
}

static bool retrace_event(struct cs_expander *self, const struct cs_event *event)
{
    (void)self;
    (void)event;
    return true;
}

static void retrace_records(cs_place last, struct cs_schedule *schedule)
{
    struct cs_expander again = expander;
    cs_place *way = NULL;
    size_t length = 0, room = 0;
    struct cs_state state;

    again.successor = retrace_successor;
    again.event = retrace_event;
    again.allowed = NULL;
    again.look_only = false;
    retraced = schedule;
    for (cs_place place = last; place != CS_NOWHERE; place = state.parent) {
        way = enough_room(way, length + 1, &room, sizeof *way);
        way[length++] = place;
        cs_store_get(place, &state);
    }
    for (; length > 1; length--) {
        cs_store_get(way[length - 1], &state);
        cs_key_restore(state.bytes, state.length, state.matched);
        cs_store_get(way[length - 2], &sought);
        cs_expand(&again);
    }
    free(way);
}

static void retrace_ways(const struct way *last, struct cs_schedule *schedule)
{
    const struct way **ways = NULL;
    size_t length = 0, room = 0;

    for (const struct way *way = last; way; way = way->before) {
        ways = enough_room(ways, length + 1, &room, sizeof *ways);
        ways[length++] = way;
    }
    for (; length > 0; length--) {
        const struct way *way = ways[length - 1];
        cs_schedule_add(schedule, &(struct cs_leg){way->thread, way->transitions, way->chosen, way->choices});
    }
    free(ways);
}

static void tell_found(void)
{
    struct cs_schedule *schedule = &result->schedule;

    result->has_schedule = true;
    result->kind = found.kind;
    result->text = found.text;
    result->threads = found.threads;
    if (options->storing == CS_EXACT)
        retrace_records(now_place, schedule);
    else
        retrace_ways(now_open->way, schedule);
    for (size_t i = 0; i < found_legs.count; i++)
        cs_schedule_append(schedule, &found_legs.made[i]);
    result->status = found.kind == CS_NOT_FOLLOWED ? "refused" : "violated";
}

static void search(const struct cs_options *asked, struct cs_result *answer)
{
    const char *bound = NULL;

    started = cs_now();
    next_telling = started + asked->telling;
    options = asked;
    result = answer;
    begin();
    while (!bound && !is_found && !hook_failed && take_next()) {
        uint64_t waiting = walks ? cs_store_count() - expanded : cs_frontier_count() + 1;
        if (waiting > result->queue)
            result->queue = waiting;
        tell_progress(waiting);
        expander.look_only = options->depth && now.depth >= options->depth;
        if (expander.look_only && __CSEQ_alive())
            cs_note(&result->limits, "depth");
        successors = 0;
        cs_expand(&expander);
        result->final += successors == 0 && !is_found && !expander.look_only;
        expanded++;
        if (is_found)
            tell_found();
        else if (!walks || pending_count >= MOST_PENDING)
            settle_all();
        done_with_state();
        bound = out_of_bounds();
    }
    result->states = cs_store_count();
    result->steps = expander.transitions;
    result->memory = memory_in_use();
    result->seconds = cs_now() - started;
    if (is_found)
        return;
    if (hook_failed) {
        result->status = "refused";
        result->text = "an abstraction or a metric that crashes or is too long";
    } else if (bound) {
        result->status = bound;
    } else {
        bool complete = !result->cuts.count && !result->limits.count && !cs_coarse.count;
        result->status = complete ? "safe" : "unknown";
    }
}

/* Breadth-first, a violation that was found by supersteps need not be the shortest: look for a shorter one without
 * them, for as long as it took to find the first. */
static void shorten(const struct cs_options *asked, struct cs_result *first)
{
    struct cs_options again = *asked;
    struct cs_result shorter = {.status = "error"};

    again.reduce = false;
    again.depth = (unsigned int)first->schedule.count - 1;
    again.seconds = first->seconds > 0.1 ? first->seconds : 0.1;
    cs_unpack(NULL, 0);
    search(&again, &shorter);
    if (strcmp(shorter.status, "violated"))
        return;
    first->kind = shorter.kind;
    first->text = shorter.text;
    first->threads = shorter.threads;
    first->schedule = shorter.schedule;
}

void cs_search(const struct cs_options *asked, struct cs_result *answer)
{
    search(asked, answer);
    if (asked->order == CS_BFS && expander.reduce && answer->schedule.count > 1 && !strcmp(answer->status, "violated"))
        shorten(asked, answer);
}
