#include "worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../access.h"

/* As in search.c. */
enum { MOST_PENDING = 32, MOST_SUCCESSORS = 4096 };

enum { SELDOM = 16 /* states between two looks at the clock */ };

static struct cs_worker *at_work; /* whose step is being made */

static bool halts(const struct cs_shared *shared) { return __atomic_load_n(&shared->halt, __ATOMIC_RELAXED); }

static void halt(struct cs_shared *shared, enum cs_halt why)
{
    uint32_t expected = CS_GOES_ON;
    __atomic_compare_exchange_n(&shared->halt, &expected, why, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* The search stops at the current state, unless it does so at an earlier one. */
static void stop(struct cs_worker *worker, enum cs_stop why)
{
    uint64_t *least = &worker->shared->stop, mine = worker->rank * CS_STOPS + why;
    uint64_t found = __atomic_load_n(least, __ATOMIC_RELAXED);

    while (mine < found && !__atomic_compare_exchange_n(least, &found, mine, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

/* Whether the state with this rank need not be expanded any more. */
static bool is_over(const struct cs_worker *worker, uint64_t rank)
{
    return halts(worker->shared) || cs_stop_rank(worker->shared) < rank;
}

/* Write down a text that is new to this process. */
static void publish(struct cs_worker *worker, enum cs_noting what, const char *text)
{
    struct cs_shared *shared = worker->shared;
    struct cs_moment now = {shared->attempt, shared->depth, worker->rank};

    if (!worker->replays && !cs_publish(&shared->notes[worker->number], &shared->table, what, now, text))
        halt(shared, CS_NO_MEMORY);
}

static void note(struct cs_worker *worker, enum cs_noting what, struct cs_texts *known, const char *text)
{
    unsigned int count = known->count;

    cs_note(known, text);
    if (known->count > count)
        publish(worker, what, text);
}

static bool on_event(struct cs_expander *self, const struct cs_event *event)
{
    struct cs_worker *worker = self->context;

    if (event->kind == CS_CUT_OFF) {
        note(worker, CS_CUTS, &worker->cuts, event->text);
        return !worker->is_stopped;
    }
    if (!worker->is_found && !worker->is_stopped) {
        worker->is_found = true;
        worker->found = *event;
        worker->found_legs.count = 0;
        for (unsigned int i = 0; i < event->legs; i++)
            cs_schedule_add(&worker->found_legs, &event->leg[i]);
    }
    return false;
}

/* Where the search is to stop at this cut, the first process to reach it says so in the end: see main.c. */
static void on_cut(const char *text)
{
    struct cs_worker *worker = at_work;

    for (unsigned int i = 0; i < CS_MOST_STOPS && worker->options->stops[i]; i++)
        if (!strcmp(worker->options->stops[i], text) && !worker->is_found)
            worker->is_stopped = true;
}

static bool is_late(const struct cs_worker *worker)
{
    return worker->options->seconds > 0 && cs_now() - worker->started > worker->options->seconds;
}

static bool is_tired(struct cs_expander *self)
{
    struct cs_worker *worker = self->context;

    if (worker->replays)
        return false;
    if (is_late(worker))
        halt(worker->shared, CS_NO_TIME);
    return is_over(worker, worker->rank);
}

static void forget_pending(struct cs_pending *pending)
{
    pending->count = pending->keys_used = pending->choices_used = 0;
}

/* Where the table is full, all wait until it has grown. */
static void wait_for_room(struct cs_worker *worker)
{
    struct cs_crew *crew = &worker->shared->crew;
    uint32_t order;

    if (worker->staff) {
        cs_make_room(worker);
        return;
    }
    __atomic_store_n(&worker->shared->wants_room, 1, __ATOMIC_RELAXED);
    cs_carried_out(crew);
    while ((order = cs_take_order(crew, &worker->taken)) != CS_EXPAND) {
        cs_work(worker, order);
        cs_carried_out(crew);
    }
}

/* Add a successor; whether it is new. */
static bool settle(struct cs_worker *worker, struct cs_successor *next)
{
    struct cs_shared *shared = worker->shared;
    cs_place place;

    next->state.bytes = worker->pending.keys + next->key;
    worker->block->successors++;
    switch (cs_table_add(&shared->table, &worker->writer, &next->state, next->state.parent, &place)) {
    case CS_KNOWN:
        return false;
    case CS_FULL:
        halt(shared, CS_NO_MEMORY);
        return false;
    case CS_CHEAPER:
        cs_claim(worker, next, place);
        return false;
    default:
        cs_claim(worker, next, place);
        return true;
    }
}

static void settle_all(struct cs_worker *worker)
{
    struct cs_table *table = &worker->shared->table;
    struct cs_pending *pending = &worker->pending;
    uint64_t added = 0;

    if (pending->count == 0)
        return;
    while (!cs_table_reserve(table, pending->count)) {
        wait_for_room(worker);
        if (halts(worker->shared)) {
            forget_pending(pending);
            return;
        }
    }
    for (size_t i = 0; i < pending->count; i++)
        cs_table_prefetch_record(table, pending->successors[i].state.hash);
    for (size_t i = 0; i < pending->count; i++)
        added += settle(worker, &pending->successors[i]);
    cs_table_release(table, pending->count - added);
    forget_pending(pending);
}

static void add_pending(struct cs_worker *worker, unsigned int thread)
{
    struct cs_pending *pending = &worker->pending;
    struct cs_successor *next = cs_pending_add(pending, worker->keys.most, 0);
    unsigned char *key = pending->keys + next->key;

    next->state = (struct cs_state){.parent = worker->rank};
    cs_key(&worker->keys, key, (struct cs_circumstances){thread, 0, 0}, &next->state.length, &next->state.matched);
    next->state.hash = cs_hash(key, next->state.matched);
    pending->keys_used += next->state.length;
    cs_table_prefetch(&worker->shared->table, next->state.hash);
}

static bool on_successor(struct cs_expander *self, const struct cs_leg *leg)
{
    struct cs_worker *worker = self->context;

    worker->successors++;
    if (worker->replays)
        forget_pending(&worker->pending);
    add_pending(worker, leg->thread);
    if (worker->pending.count < MOST_SUCCESSORS)
        return true;
    settle_all(worker);
    return !is_tired(self);
}

/* Whether the last successor is new: in no layer that is complete, however far the others are with this one.
 * So if a thread goes on alone from a state, its successor is at greater depth than the state. On a cycle the depth
 * cannot grow all the way round, so there is a state on it from which all threads go on: none is put off for ever. */
static bool is_last_new(struct cs_expander *self)
{
    struct cs_worker *worker = self->context;
    struct cs_pending *pending = &worker->pending;
    struct cs_successor *last;

    if (pending->count == 0)
        return false;
    last = &pending->successors[pending->count - 1];
    last->state.bytes = pending->keys + last->key;
    return !cs_table_has_old(&worker->shared->table, &last->state);
}

/* Now and then, say how far the search is, as search.c does. */
static void report_progress(struct cs_worker *worker)
{
    const struct cs_shared *shared = worker->shared;
    double period = worker->options->progress, now;
    uint64_t count, taken = __atomic_load_n(&shared->next_block, __ATOMIC_RELAXED) * shared->block_size;

    if (period <= 0 || worker->expanded % SELDOM != 0 || (now = cs_now()) < worker->next_progress)
        return;
    worker->next_progress = now + period;
    count = __atomic_load_n(&shared->table.count, __ATOMIC_RELAXED);
    fprintf(stderr, "progress %.3f %llu %llu %llu\n", now - worker->started, (unsigned long long)count,
            (unsigned long long)shared->depth,
            (unsigned long long)(shared->size - (taken < shared->size ? taken : shared->size)));
}

/* Where most of the memory is used up, others have to give back theirs. more: bytes that are needed now. */
static void mind_memory(struct cs_worker *leader, size_t more)
{
    struct cs_table *table = &leader->shared->table;
    const struct cs_others *others = leader->others;
    size_t most = leader->options->memory;

    if (!others || table->most_memory == most
        || cs_table_memory(table) + table->others + more < table->most_memory / 5 * 4)
        return;
    others->end(others->argument);
    table->most_memory = most;
}

static void restore(struct cs_worker *worker, uint64_t rank)
{
    struct cs_state state;

    worker->rank = rank;
    worker->successors = 0;
    worker->is_found = worker->is_stopped = false;
    cs_table_get(&worker->shared->table, worker->shared->queue[rank], &state);
    cs_key_restore(&worker->keys, state.bytes, state.length, state.matched);
}

static void expand_state(struct cs_worker *worker, uint64_t rank)
{
    struct cs_expander *expander = &worker->expander;
    const struct cs_texts *coarse = &expander->engine->coarse;
    uint64_t made = expander->transitions;
    unsigned int most = worker->options->depth;

    restore(worker, rank);
    expander->look_only = most && worker->shared->depth >= most;
    if (expander->look_only && __CSEQ_alive())
        note(worker, CS_LIMITS, &worker->limits, "depth");
    cs_expand(expander);
    worker->expanded++;
    worker->block->steps += expander->transitions - made;
    worker->block->final += worker->successors == 0 && !worker->is_found && !expander->look_only;
    while (worker->coarse < coarse->count)
        publish(worker, CS_COARSE, coarse->text[worker->coarse++]);
    if (expander->is_surprised && expander->is_new)
        stop(worker, CS_SURPRISED);
    else if (worker->is_stopped)
        stop(worker, CS_STOPPED);
    else if (worker->is_found)
        stop(worker, CS_FOUND);
}

/* Expand successive states, and add their successors. */
static void expand_block(struct cs_worker *worker, uint64_t number)
{
    struct cs_shared *shared = worker->shared;
    uint64_t rank = number * shared->block_size, end = rank + shared->block_size;

    worker->block = &shared->blocks[number];
    *worker->block = (struct cs_block){0};
    worker->runs = cs_enough_room(worker->runs, worker->run_count + 1, &worker->run_room, sizeof *worker->runs);
    worker->runs[worker->run_count++] = (struct cs_run_of_claims){number, worker->claim_count};
    for (; rank < end && rank < shared->size && !is_over(worker, rank); rank++) {
        expand_state(worker, rank);
        if (worker->pending.count >= MOST_PENDING)
            settle_all(worker);
        if (__atomic_load_n(&shared->wants_room, __ATOMIC_RELAXED))
            wait_for_room(worker);
        if (worker->expanded % SELDOM == 0 && is_late(worker))
            halt(shared, CS_NO_TIME);
        if (!worker->staff)
            continue;
        report_progress(worker);
        if (worker->others && __atomic_load_n(worker->others->answered, __ATOMIC_RELAXED))
            halt(shared, CS_ANSWERED);
        if (worker->expanded % SELDOM == 0)
            mind_memory(worker, 0);
    }
    settle_all(worker);
}

static void expand_blocks(struct cs_worker *worker)
{
    struct cs_shared *shared = worker->shared;

    for (;;) {
        uint64_t number = __atomic_fetch_add(&shared->next_block, 1, __ATOMIC_RELAXED);
        if (number * shared->block_size >= shared->size || is_over(worker, number * shared->block_size))
            return;
        expand_block(worker, number);
    }
}

static void begin_again(struct cs_worker *worker)
{
    worker->expander.is_new = NULL;
    worker->expander.is_surprised = false;
    worker->writer = (struct cs_writer){0};
    worker->claim_count = worker->run_count = 0;
}

void cs_work(struct cs_worker *worker, enum cs_work what)
{
    struct cs_shared *shared = worker->shared;

    switch (what) {
    case CS_EXPAND:
        expand_blocks(worker);
        break;
    case CS_CHOOSE:
        cs_choose(worker);
        break;
    case CS_LINE_UP:
        cs_line_up(worker);
        break;
    case CS_CLEAR:
        cs_table_clear(&shared->table, worker->number, shared->processes);
        break;
    case CS_FILL:
        cs_table_fill(&shared->table);
        break;
    case CS_BEGIN_AGAIN:
        begin_again(worker);
    }
}

bool cs_together(struct cs_worker *leader, enum cs_work what)
{
    cs_order(leader->staff, what);
    cs_work(leader, what);
    if (!cs_wait(leader->staff))
        halt(leader->shared, CS_IS_LOST);
    return !halts(leader->shared);
}

void cs_make_room(struct cs_worker *leader)
{
    struct cs_shared *shared = leader->shared;
    uint64_t slots = shared->table.slot_count;

    __atomic_store_n(&shared->wants_room, 1, __ATOMIC_RELAXED);
    if (leader->leads && !cs_wait(leader->staff))
        halt(shared, CS_IS_LOST);
    __atomic_store_n(&shared->wants_room, 0, __ATOMIC_RELAXED);
    if (halts(shared))
        return;
    mind_memory(leader, shared->table.slot_count * sizeof *shared->table.slots);
    if (!cs_table_grow(&shared->table))
        halt(shared, CS_NO_MEMORY);
    if (shared->table.slot_count > slots && cs_together(leader, CS_CLEAR)) {
        cs_table_prepare(&shared->table);
        cs_together(leader, CS_FILL);
    }
    if (leader->leads && !halts(shared))
        cs_order(leader->staff, CS_EXPAND);
}

void cs_worker_serve(void *leader, unsigned int number)
{
    struct cs_worker *worker = leader;
    struct cs_crew *crew = &worker->shared->crew;

    /* This process has a copy of all that was the leader's. */
    worker->number = number;
    worker->staff = NULL;
    worker->writer = (struct cs_writer){0};
    worker->claim_count = worker->run_count = 0;
    for (;;) {
        uint32_t order = cs_take_order(crew, &worker->taken);
        cs_work(worker, order);
        cs_carried_out(crew);
    }
}

uint64_t cs_worker_replay(struct cs_worker *worker, uint64_t rank)
{
    uint64_t made = worker->expander.transitions;

    worker->replays = true;
    restore(worker, rank);
    cs_expand(&worker->expander);
    worker->replays = false;
    forget_pending(&worker->pending);
    return worker->expander.transitions - made;
}

void cs_worker_put_initial(struct cs_worker *worker)
{
    struct cs_shared *shared = worker->shared;
    struct cs_successor *initial;
    cs_place place = CS_NOWHERE;

    shared->size = 1;
    shared->depth = worker->rank = 0;
    forget_pending(&worker->pending);
    cs_unpack(&worker->keys.packer, NULL, 0);
    add_pending(worker, CS_NOBODY);
    initial = worker->pending.successors;
    initial->state.bytes = worker->pending.keys;
    cs_table_reserve(&shared->table, 1);
    if (cs_table_add(&shared->table, &worker->writer, &initial->state, 0, &place) == CS_FULL)
        halt(shared, CS_NO_MEMORY);
    else
        cs_table_settle(&shared->table, place, CS_NOWHERE,
                        initial->state.length > initial->state.matched ? initial->state.bytes + initial->state.matched
                                                                       : NULL);
    shared->queue[0] = place;
    forget_pending(&worker->pending);
}

bool cs_worker_begin(struct cs_worker *worker, struct cs_engine *engine, const struct cs_options *options,
                     struct cs_shared *shared)
{
    bool reduces = options->reduce && cs_can_reduce();
    double now = cs_now();

    *worker = (struct cs_worker){
        .shared = shared,
        .options = options,
        .started = now,
        .next_progress = now + options->progress,
        .coarse = engine->coarse.count,
        .on_cut = engine->on_cut,
        .expander =
            {
                .engine = engine,
                .workspace = cs_workspace_new(),
                .context = worker,
                .check = options->check,
                .reduce = reduces,
                .is_new = reduces && options->alone && cs_knows_futures() ? is_last_new : NULL,
                .longest = options->longest ? options->longest : 64,
                .successor = on_successor,
                .event = on_event,
                .tired = is_tired,
            },
    };
    cs_keys_begin(&worker->keys, engine, false, false, false);
    worker->keys.sorts = options->symmetry && options->check == CS_CHECK_ASSERTION && cs_knows_symmetry();
    at_work = worker;
    if (engine->on_cut)
        engine->on_cut = on_cut;
    return cs_table_begin(&shared->table, options->memory, worker->keys.sorts ? __CSEQ_most_threads : 0);
}

void cs_worker_end(struct cs_worker *worker)
{
    cs_unpack(&worker->keys.packer, NULL, 0);
    worker->expander.engine->on_cut = worker->on_cut;
    cs_table_end(&worker->shared->table);
    cs_keys_end(&worker->keys);
    cs_workspace_free(worker->expander.workspace);
    cs_pending_free(&worker->pending);
    free(worker->claims);
    free(worker->runs);
    free(worker->suffixes);
    free(worker->found_legs.made);
}
