/* The searches: expand a state that waits, add its successors to those that have been seen, have the new ones wait. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "search.h"

#include "access.h"
#include "endings/monitor.h"
#include "frontier.h"
#include "key.h"
#include "pending.h"
#include "way.h"

/* Successors are looked up together, so that the processor can fetch what is needed for one while it waits for another.
 */
enum { MOST_PENDING = 32, MOST_SUCCESSORS = 4096 };

struct cs_search {
    const struct cs_options *options;
    struct cs_result *result;
    struct cs_expander expander;
    struct cs_keys keys;
    struct cs_store store;
    struct cs_frontier frontier;
    struct cs_pending pending;

    /* The state that is being expanded. */
    struct {
        struct cs_waiting waiting;
        cs_place place;
        struct cs_open *open; /* where states are not stored exactly */
        unsigned int last;    /* who ran last */
        uint64_t successors;
    } now;

    /* Breadth-first on exact records these are the queue: the next one, and where those at the same depth end. */
    bool walks;
    cs_place next_place, layer_end;
    /* What a state that comes again has to have less of to be expanded again. */
    bool counts_cost, counts_depth;

    bool full, torn, hook_failed; /* torn: successors are missing, as the bounds were reached amid them */
    double started, next_progress;
    struct cs_graph *graph; /* where traps are looked for */
    size_t open_memory;
    uint64_t expanded, shuffled;

    /* What was found. Its legs begin in the state that is being expanded. */
    bool is_found;
    struct cs_event found;
    struct cs_schedule found_legs;
};

static bool on_event(struct cs_expander *self, const struct cs_event *event)
{
    struct cs_search *search = self->context;

    if (event->kind == CS_CUT_OFF) {
        cs_note(&search->result->cuts, event->text);
        return true;
    }
    if (event->kind == CS_ASSERTION && search->options->collect && !strcmp(event->text, search->options->collect)) {
        cs_collect(&search->result->collected);
        return true;
    }
    if (!search->is_found) {
        search->is_found = true;
        search->found = *event;
        for (unsigned int i = 0; i < event->legs; i++)
            cs_schedule_add(&search->found_legs, &event->leg[i]);
    }
    return false;
}

/* Musuvathi and Qadeer: a switch is preemptive where the last thread could have gone on. (In Fig. 4 of the paper on
 * pancam no thread may go on where two others than the last thread are enabled and the bound is reached.) */
static bool is_preemptive(const struct cs_search *search, unsigned int thread)
{
    unsigned int last = search->now.last;
    return last != CS_NOBODY && thread != last && (search->expander.enabled >> last & 1);
}

static __CSEQ_set within_bound(struct cs_expander *self, __CSEQ_set enabled)
{
    const struct cs_search *search = self->context;
    unsigned int last = search->now.last;
    int most = search->options->preemptions;

    self->enabled = enabled;
    if (most >= 0 && (int)search->now.waiting.cost >= most && last != CS_NOBODY && (enabled >> last & 1)) {
        if (enabled & ~__CSEQ_ONLY(last))
            cs_note(&search->result->limits, "preemptions");
        return __CSEQ_ONLY(last);
    }
    return enabled;
}

size_t cs_search_memory(const struct cs_search *search)
{
    size_t graph = search->graph ? cs_graph_memory(search->graph) : 0;

    return cs_store_memory(&search->store) + cs_frontier_memory(&search->frontier) + search->open_memory + graph;
}

/* Which bound stops the search; null while it may go on. */
static const char *out_of_bounds(const struct cs_search *search)
{
    const struct cs_options *options = search->options;

    if (search->full || (options->memory && cs_search_memory(search) > options->memory))
        return "memory";
    if (options->seconds > 0 && cs_now() - search->started > options->seconds)
        return "time";
    return NULL;
}

static bool is_tired(struct cs_expander *self)
{
    struct cs_search *search = self->context;

    search->torn = search->torn || out_of_bounds(search);
    return search->torn;
}

/* Now and then, report how far the search is: seconds, states, depth, states that wait. */
static void report_progress(struct cs_search *search, uint64_t waiting)
{
    double period = search->options->progress, now;

    if (period <= 0 || (search->expanded & 63) != 0 || (now = cs_now()) < search->next_progress)
        return;
    search->next_progress = now + period;
    fprintf(stderr, "progress %.3f %llu %llu %llu\n", now - search->started, (unsigned long long)search->store.count,
            (unsigned long long)search->result->depth, (unsigned long long)waiting);
}

static struct cs_open *open_state(struct cs_search *search, const struct cs_successor *next)
{
    struct cs_leg leg = next->leg;

    leg.choices = search->pending.choices + next->choices;
    return cs_open_new(search->now.open, &leg, &next->state, &search->open_memory);
}

/* Add a successor to the states that have been seen and, if it is new, to those that wait. */
static void settle(struct cs_search *search, struct cs_successor *next)
{
    struct cs_waiting waiting = {.depth = next->depth, .cost = next->cost};
    struct cs_result *result = search->result;
    cs_place place = CS_NOWHERE;
    enum cs_added added;

    next->state.bytes = search->pending.keys + next->key;
    result->transitions++;
    added = cs_store_add(&search->store, &next->state, &place);
    if (search->graph && added != CS_FULL)
        cs_graph_step(search->graph, next->state.parent, place, next->leg.thread);
    switch (added) {
    case CS_KNOWN:
        result->matched++;
        return;
    case CS_FULL:
        search->full = true;
        return;
    case CS_NEW:
    case CS_CHEAPER:
        break;
    }
    if (waiting.depth > result->depth)
        result->depth = waiting.depth;
    if (search->walks)
        return;
    waiting.what = search->options->storing == CS_EXACT ? place : (uint64_t)(uintptr_t)open_state(search, next);
    cs_frontier_add(&search->frontier, waiting, next->metric);
}

static void settle_all(struct cs_search *search)
{
    struct cs_pending *pending = &search->pending;
    /* Depth-first, the first successor is to be taken first. */
    bool backwards = search->options->order == CS_DFS;

    if (search->options->shuffles)
        cs_pending_shuffle(pending, &search->shuffled);
    for (size_t i = 0; i < pending->count; i++)
        cs_store_prefetch_record(&search->store, pending->successors[i].state.hash);
    for (size_t i = 0; i < pending->count && !search->full; i++)
        settle(search, &pending->successors[backwards ? pending->count - 1 - i : i]);
    pending->count = pending->keys_used = pending->choices_used = 0;
}

static void ask_metric(void *to) { *(long long *)to = __CSEQ_metric(); }
static void ask_distance(void *to) { *(long long *)to = -__CSEQ_distance(); }

/* Write the key, and ask for the metric; false where a hook of the program fails. */
static bool ask_hooks(struct cs_search *search, struct cs_successor *next, unsigned int thread)
{
    struct cs_circumstances how = {thread, next->cost, next->depth};
    unsigned char *key = search->pending.keys + next->key;
    void (*asks)(void *) = NULL;

    if (search->options->order == CS_BEAM)
        asks = __CSEQ_distance ? ask_distance : NULL;
    else if (search->options->order == CS_HEURISTIC)
        asks = __CSEQ_metric ? ask_metric : NULL;

    next->metric = 0;
    next->state.length = next->state.matched = 0;
    return cs_key(&search->keys, key, how, &next->state.length, &next->state.matched)
        && (!asks || cs_protected(search->expander.engine, asks, &next->metric) == CS_MADE);
}

/* Whether the last successor is a state that has not been seen; breadth-first, whether it is in no layer that is
 * complete: parallel/worker.c says why that is enough. It makes the search the same for one process and for several. */
static bool is_last_new(struct cs_expander *self)
{
    struct cs_search *search = self->context;
    struct cs_pending *pending = &search->pending;
    struct cs_successor *last;
    cs_place place;

    if (pending->count == 0 || search->hook_failed)
        return false;
    last = &pending->successors[pending->count - 1];
    last->state.bytes = pending->keys + last->key;
    place = cs_store_find(&search->store, &last->state);
    return place == CS_NOWHERE || (search->walks && place >= search->layer_end);
}

static bool on_successor(struct cs_expander *self, const struct cs_leg *leg)
{
    struct cs_search *search = self->context;
    struct cs_pending *pending = &search->pending;
    struct cs_successor *next = cs_pending_add(pending, search->keys.most, leg->chosen);

    search->now.successors++;
    next->depth = search->now.waiting.depth + 1;
    next->cost = search->now.waiting.cost + (self->allowed && is_preemptive(search, leg->thread));
    if (!ask_hooks(search, next, leg->thread))
        search->hook_failed = true;
    next->state.parent = search->now.place;
    next->state.hash = cs_hash(pending->keys + next->key, next->state.matched);
    next->state.cost = search->counts_depth ? next->depth : next->cost;
    pending->keys_used += next->state.length;
    cs_store_prefetch(&search->store, next->state.hash);
    next->leg = *leg;
    if (leg->chosen > 0)
        memcpy(pending->choices + next->choices, leg->choices, leg->chosen * sizeof *leg->choices);
    pending->choices_used += leg->chosen;
    if (pending->count < MOST_SUCCESSORS)
        return true;
    settle_all(search); /* a choice of many */
    return !is_tired(self);
}

/* The next record of a breadth-first search, as take_next. */
static bool walk_on(struct cs_search *search)
{
    struct cs_state state;

    if (search->next_place == search->layer_end) {
        settle_all(search);
        if (search->next_place == cs_store_next(&search->store))
            return false;
        search->now.waiting.depth += search->layer_end > 0;
        search->layer_end = cs_store_next(&search->store);
    }
    search->now.place = search->next_place;
    search->next_place = cs_store_get(&search->store, search->now.place, &state);
    search->now.last = cs_key_restore(&search->keys, state.bytes, state.length, state.matched);
    return true;
}

/* Make the next state that waits the current one; false when there is none. */
static bool take_next(struct cs_search *search)
{
    struct cs_waiting *waiting = &search->now.waiting;
    struct cs_open *open;
    struct cs_state state;

    if (search->walks)
        return walk_on(search);
    do {
        if (!cs_frontier_take(&search->frontier, waiting))
            return false;
        if (search->options->storing != CS_EXACT) {
            search->now.open = open = (struct cs_open *)(uintptr_t)waiting->what;
            search->now.last = cs_key_restore(&search->keys, open->key, open->length, open->matched);
            return true;
        }
        search->now.place = waiting->what;
        cs_store_get(&search->store, search->now.place, &state);
        /* One that came again at lower cost waits twice. */
    } while ((search->counts_cost && state.cost < waiting->cost)
             || (search->counts_depth && state.cost < waiting->depth));
    search->now.last = cs_key_restore(&search->keys, state.bytes, state.length, state.matched);
    return true;
}

static void done_with_state(struct cs_search *search)
{
    if (search->now.open)
        cs_open_free(search->now.open, &search->open_memory);
    search->now.open = NULL;
}

static void note_limits(struct cs_search *search)
{
    struct cs_texts *limits = &search->result->limits;

    if (search->options->storing == CS_COMPACT)
        cs_note(limits, "hash compaction");
    if (search->options->storing == CS_BITS)
        cs_note(limits, "bitstate hashing");
    if (__CSEQ_abstract)
        cs_note(limits, "abstraction");
    if (search->options->order == CS_BEAM)
        cs_note(limits, "beam");
}

static void begin(struct cs_search *search, struct cs_engine *engine, const struct cs_options *options,
                  struct cs_result *result)
{
    /* Within a bound, a state that comes again with more of it left has to be expanded again. Where states are stored
     * as a whole, such a state is cheaper than the one that is known; that works for one bound. Otherwise, and for
     * other bounds, what has been used up is matched. Breadth-first, a state first comes at its lowest depth. */
    bool bounded = options->preemptions >= 0 || options->order == CS_ICB;
    bool exact = options->storing == CS_EXACT && !__CSEQ_abstract;
    bool bounds_depth = options->depth > 0 && options->order != CS_BFS;
    bool reduces = options->reduce && !options->traps && !bounded && cs_can_reduce();
    bool counts_depth = exact && bounds_depth, counts_cost = exact && bounded && options->depth == 0;
    double now = cs_now();

    *search = (struct cs_search){
        .options = options,
        .result = result,
        .expander =
            {
                .engine = engine,
                .workspace = cs_workspace_new(),
                .context = search,
                .check = options->check,
                .reduce = reduces,
                .is_new = reduces && options->alone && exact && cs_knows_futures() ? is_last_new : NULL,
                .longest = options->longest ? options->longest : 64,
                .probe = bounded,
                .allowed = bounded ? within_bound : NULL,
                .successor = on_successor,
                .event = on_event,
                .tired = is_tired,
            },
        .walks = options->order == CS_BFS && options->storing == CS_EXACT && !bounded,
        .counts_cost = counts_cost,
        .counts_depth = counts_depth,
        .now = {.place = CS_NOWHERE, .last = CS_NOBODY},
        .graph = options->traps ? cs_graph_new() : NULL,
        .shuffled = options->seed,
        .started = now,
        .next_progress = now + options->progress,
    };
    cs_keys_begin(&search->keys, engine, bounded, bounded && !counts_cost, bounds_depth && !counts_depth);
    cs_store_begin(&search->store, options->storing, options->bits, options->memory, counts_cost || counts_depth);
    cs_frontier_begin(&search->frontier, options->order, options->seed);
    search->keys.sorts = options->symmetry && !options->traps && options->check == CS_CHECK_ASSERTION && !bounded
        && !bounds_depth && cs_knows_symmetry();
    search->frontier.width = options->width;
    note_limits(search);
}

/* Give back the states, and make the initial one the current one. */
static void forget(struct cs_search *search)
{
    struct cs_waiting waiting;

    while (search->options->storing != CS_EXACT && cs_frontier_take(&search->frontier, &waiting))
        cs_open_free((struct cs_open *)(uintptr_t)waiting.what, &search->open_memory);
    cs_unpack(&search->keys.packer, NULL, 0);
    cs_frontier_end(&search->frontier);
    cs_store_end(&search->store);
}

/* Have the initial state wait. */
static void add_initial(struct cs_search *search)
{
    search->now.waiting.depth = ~0u; /* the initial state comes one after it */
    on_successor(&search->expander, &(struct cs_leg){CS_NOBODY, 0, 0, NULL});
    settle_all(search);
    search->now.waiting.depth = 0;
    search->result->transitions = 0;
}

struct cs_search *cs_search_new(struct cs_engine *engine, const struct cs_options *options, struct cs_result *result)
{
    struct cs_search *search = cs_allocate(sizeof *search);

    begin(search, engine, options, result);
    add_initial(search);
    return search;
}

/* Begin once more, without the reduction that was wrong about this program. */
static void start_again(struct cs_search *search)
{
    const struct cs_options *options = search->options;

    forget(search);
    search->expander.is_new = NULL;
    search->found_legs.count = 0;
    search->result->matched = search->result->final = search->result->depth = 0;
    search->next_place = search->layer_end = 0;
    search->now.place = CS_NOWHERE;
    search->now.last = CS_NOBODY;
    search->full = search->is_found = search->hook_failed = false;
    search->pending.count = search->pending.keys_used = search->pending.choices_used = 0;
    search->expanded = 0;
    cs_store_begin(&search->store, options->storing, options->bits, options->memory,
                   search->counts_cost || search->counts_depth);
    cs_frontier_begin(&search->frontier, options->order, options->seed);
    search->frontier.width = options->width;
    add_initial(search);
}

void cs_search_free(struct cs_search *search)
{
    forget(search);
    cs_keys_end(&search->keys);
    cs_workspace_free(search->expander.workspace);
    cs_pending_free(&search->pending);
    if (search->graph)
        cs_graph_free(search->graph);
    free(search->found_legs.made);
    free(search);
}

static void report_found(struct cs_search *search)
{
    struct cs_result *result = search->result;
    const struct cs_event *found = &search->found;

    result->has_schedule = true;
    result->kind = found->kind;
    result->text = found->text;
    result->threads = found->threads;
    if (search->options->storing == CS_EXACT)
        cs_retrace_record(&search->expander, &search->keys, &search->store, search->now.place, &result->schedule);
    else
        cs_retrace_open(search->now.open, &result->schedule);
    for (size_t i = 0; i < search->found_legs.count; i++)
        cs_schedule_append(&result->schedule, &search->found_legs.made[i]);
    result->status = found->kind == CS_NOT_FOLLOWED ? "refused" : "violated";
}

/* No thread can go on in the current state, and the calls are monitored. */
static void judge_standstill(struct cs_search *search)
{
    struct cs_event event = {.kind = CS_DEADLOCK, .threads = __CSEQ_alive()};

    if (!cs_monitor_may_block())
        on_event(&search->expander, &event);
}

/* Expand the current state. */
static void expand(struct cs_search *search)
{
    struct cs_expander *expander = &search->expander;
    unsigned int most = search->options->depth;

    expander->look_only = most && search->now.waiting.depth >= most;
    if (expander->look_only && __CSEQ_alive())
        cs_note(&search->result->limits, "depth");
    search->now.successors = 0;
    if (search->graph)
        cs_graph_state(search->graph, search->now.place, __CSEQ_alive());
    cs_expand(expander);
    if (search->options->monitor && expander->looked && !expander->enabled && !search->is_found && __CSEQ_alive())
        judge_standstill(search);
    search->expanded++;
    search->result->final += search->now.successors == 0 && !search->is_found && !expander->look_only;
    if (search->expander.is_surprised && search->expander.is_new)
        return; /* the search begins again */
    if (search->is_found) {
        settle_all(search);
        report_found(search);
    } else if (!search->walks || search->pending.count >= MOST_PENDING)
        settle_all(search);
    done_with_state(search);
}

uint64_t cs_search_transitions(const struct cs_search *search) { return search->expander.transitions; }
uint64_t cs_search_states(const struct cs_search *search) { return search->store.count; }
bool cs_search_reduces(const struct cs_search *search) { return search->expander.reduce; }
bool cs_search_is_whole(const struct cs_search *search) { return !search->full && !search->torn; }

/* Report that threads cannot come to their end from some state, if that is so. */
static void judge_endings(struct cs_search *search)
{
    struct cs_result *result = search->result;
    struct cs_trap trap;

    if (!search->graph || !cs_graph_trap(search->graph, &trap))
        return;
    result->has_schedule = result->is_trapped = true;
    result->kind = CS_DEADLOCK;
    result->stopped = trap.stopped;
    result->threads = trap.others;
    cs_retrace_record(&search->expander, &search->keys, &search->store, trap.place, &result->schedule);
    result->status = "violated";
}

/* Fill in the result. bound: what stopped the search, or null. */
static void conclude(struct cs_search *search, const char *bound)
{
    struct cs_result *result = search->result;

    result->states = search->store.count;
    result->steps = search->expander.transitions;
    result->memory = cs_search_memory(search);
    result->hash_factor = cs_store_hash_factor(&search->store);
    result->seconds = cs_now() - search->started;
    if (search->is_found)
        return;
    if (search->hook_failed) {
        result->status = "refused";
        result->text = "an abstraction or a metric that crashes or is too long";
    } else if (bound) {
        result->status = bound;
    } else {
        const struct cs_texts *coarse = &search->expander.engine->coarse;
        bool complete = !result->cuts.count && !result->limits.count && !coarse->count;
        result->status = complete ? "safe" : "unknown";
        if (complete)
            judge_endings(search);
    }
}

bool cs_search_go_on(struct cs_search *search, uint64_t transitions)
{
    uint64_t end = search->expander.transitions + transitions;
    const char *bound = out_of_bounds(search);

    while (!bound && !search->is_found && !search->hook_failed && take_next(search)) {
        uint64_t waiting = search->walks ? search->store.count - search->expanded : search->frontier.count + 1;
        if (waiting > search->result->queue)
            search->result->queue = waiting;
        report_progress(search, waiting);
        expand(search);
        if (search->expander.is_surprised && search->expander.is_new)
            start_again(search);
        bound = out_of_bounds(search);
        if (!bound && !search->is_found && search->expander.transitions >= end)
            return true;
    }
    conclude(search, bound);
    return false;
}
