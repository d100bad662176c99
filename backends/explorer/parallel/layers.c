/* Breadth-first search by several processes, layer by layer.
 *
 * The states of a layer have ranks. Each process takes a block of them at a time, expands it, and adds what comes next
 * to the table (table.h). When all are expanded, each new state belongs to the first state of the layer that has it as
 * a successor, and the next layer is made in the order of these: first by the rank of the state that it belongs to,
 * then by the order in which that has its successors. This is the order in which one process alone would find them. So
 * the states, their parents, and all numbers are those of one process alone, however the work was divided.
 *
 * A state at which the search stops, as something is wrong there, also has a rank. Those before it are all expanded, to
 * see whether the search stops earlier. What the others have added is not counted. The leader expands the state once
 * more, to say what is wrong.
 *
 * A layer that is small is expanded by the leader alone: for that, no process has to wait for another. */

#define _GNU_SOURCE
#include "layers.h"

#include <stdlib.h>
#include <string.h>

#include "worker.h"

enum {
    TOGETHER = 256,       /* states of a layer that are enough for several processes */
    BLOCKS = 16,          /* of each process, at least, where these are not too small */
    LEAST_BLOCK = 8,      /* states */
    SMALLEST_RECORD = 16, /* bytes */
    STATE_IN_LAYERS = 40, /* bytes that are needed for a state while it is in the newest layer, about */
};

struct layers {
    struct cs_shared *shared;
    struct cs_worker leader;
    struct cs_staff staff;
    const struct cs_others *others;
    struct cs_options options;
    struct cs_result *result;
    struct cs_texts coarse; /* noted before */
    uint64_t states;
    double saved;           /* when the share was last written down for others */
    struct cs_share before; /* what it was at first */
};

bool cs_can_share(const struct cs_options *options)
{
    return options->order == CS_BFS && options->storing == CS_EXACT && options->preemptions < 0 && !__CSEQ_abstract;
}

static uint64_t least_block(const struct layers *all)
{
    return all->options.together < LEAST_BLOCK ? all->options.together : LEAST_BLOCK;
}

static bool begin(struct layers *all, struct cs_engine *engine)
{
    struct cs_shared *shared = all->shared = cs_shared_new(sizeof *shared);
    bool fits;

    if (!shared)
        return false;
    fits = cs_worker_begin(&all->leader, engine, &all->options, shared);
    shared->processes = 1;
    shared->alone = all->leader.expander.is_new;
    if (fits) {
        shared->most = shared->table.most_chunks * shared->table.chunk / SMALLEST_RECORD + 1;
        shared->most_blocks = shared->most / least_block(all) + 1;
        shared->queue = cs_shared_new(shared->most * sizeof *shared->queue);
        shared->next = cs_shared_new(shared->most * sizeof *shared->next);
        shared->blocks = cs_shared_new(shared->most_blocks * sizeof *shared->blocks);
        shared->notes = cs_shared_new(all->options.jobs * sizeof *shared->notes);
    }
    all->staff.crew = &shared->crew;
    all->leader.staff = &all->staff;
    all->leader.others = all->others;
    if (all->others)
        all->before = *all->others->share;
    if (all->others && shared->table.most_memory)
        shared->table.most_memory -= all->others->memory;
    all->coarse = engine->coarse;
    return fits && shared->queue && shared->next && shared->blocks && shared->notes;
}

static void end(struct layers *all)
{
    struct cs_shared *shared = all->shared;

    cs_dismiss(&all->staff);
    if (!shared)
        return;
    cs_shared_free(shared->queue, shared->most * sizeof *shared->queue);
    cs_shared_free(shared->next, shared->most * sizeof *shared->next);
    cs_shared_free(shared->blocks, shared->most_blocks * sizeof *shared->blocks);
    cs_shared_free(shared->notes, all->options.jobs * sizeof *shared->notes);
    cs_worker_end(&all->leader);
    cs_shared_free(shared, sizeof *shared);
}

/* The blocks of this layer that somebody has begun with. */
static uint64_t blocks_begun(const struct cs_shared *shared)
{
    uint64_t all = (shared->size + shared->block_size - 1) / shared->block_size;
    return shared->next_block < all ? shared->next_block : all;
}

/* Add what came of the layer to the result. */
static void count(struct layers *all)
{
    struct cs_shared *shared = all->shared;
    struct cs_result *result = all->result;
    uint64_t blocks = blocks_begun(shared), last = shared->stop / CS_STOPS, waiting = shared->size, kept = 0;

    for (uint64_t i = 0; i < blocks && i * shared->block_size <= last; i++) {
        const struct cs_block *block = &shared->blocks[i];
        result->transitions += block->successors;
        result->steps += block->steps;
        result->final += block->final;
        kept += block->kept;
        waiting += block->kept;
        waiting -= shared->size - i * shared->block_size < shared->block_size ? shared->size % shared->block_size
                                                                              : shared->block_size;
        if (waiting > result->queue)
            result->queue = waiting;
    }
    all->states += kept;
    result->matched = result->transitions - (all->states - 1);
    if (kept > 0)
        result->depth = shared->depth + 1;
}

static void save_share(struct layers *all)
{
    double now = cs_now();
    struct cs_share *share;

    if (!all->others || now - all->saved < 0.02)
        return;
    all->saved = now;
    share = all->others->share;
    if (all->states > share->states)
        share->states = all->states;
    share->transitions = all->before.transitions + all->result->steps;
    if (all->result->depth > share->depth)
        share->depth = all->result->depth;
}

/* Expand the layer; false where the search does not go on with the next one. */
static bool expand(struct layers *all)
{
    struct cs_shared *shared = all->shared;
    struct cs_worker *leader = &all->leader;
    uint64_t each = (uint64_t)shared->processes * BLOCKS;
    uint64_t least = least_block(all);

    shared->block_size = shared->size / each;
    if (shared->block_size < least)
        shared->block_size = least;
    if (shared->block_size > CS_LARGEST_BLOCK)
        shared->block_size = CS_LARGEST_BLOCK;
    shared->next_block = 0;
    if (shared->processes == 1 || shared->size < all->options.together) {
        cs_work(leader, CS_EXPAND);
        cs_work(leader, CS_CHOOSE);
    } else {
        leader->leads = true;
        cs_together(leader, CS_EXPAND);
        while (!shared->halt && shared->wants_room) {
            cs_make_room(leader);
            cs_work(leader, CS_EXPAND);
            if (!cs_wait(&all->staff))
                shared->halt = CS_IS_LOST;
        }
        leader->leads = false;
        if (shared->halt == CS_IS_LOST)
            return false;
        cs_order(&all->staff, CS_CHOOSE);
        cs_work(leader, CS_CHOOSE);
        if (!cs_wait(&all->staff)) {
            shared->halt = CS_IS_LOST;
            return false;
        }
    }
    count(all);
    save_share(all);
    return !shared->halt && shared->stop == ~0ULL;
}

/* Make the next layer the current one; false where it is empty. */
static bool line_up(struct layers *all)
{
    struct cs_shared *shared = all->shared;
    struct cs_worker *leader = &all->leader;
    uint64_t *queue = shared->queue, size = 0, blocks = blocks_begun(shared);

    for (uint64_t i = 0; i < blocks; i++)
        size += shared->blocks[i].kept;
    if (shared->processes == 1 || shared->size < all->options.together)
        cs_work(leader, CS_LINE_UP);
    else if (!cs_together(leader, CS_LINE_UP))
        return false;
    shared->queue = shared->next;
    shared->next = queue;
    shared->size = size;
    shared->depth++;
    if (size * STATE_IN_LAYERS > shared->table.others)
        shared->table.others = size * STATE_IN_LAYERS;
    return size > 0;
}

static void hire(struct layers *all)
{
    struct cs_shared *shared = all->shared;

    if (shared->processes > 1 || shared->size < all->options.together || all->options.jobs < 2)
        return;
    all->leader.taken = shared->crew.orders;
    cs_hire(&all->staff, all->options.jobs - 1, cs_worker_serve, &all->leader);
    shared->processes = all->staff.count + 1;
}

/* Layer by layer, until the search stops or there are no more. */
static void go_through(struct layers *all)
{
    const struct cs_result *result = all->result;

    do {
        if (all->options.transitions && result->steps >= all->options.transitions) {
            all->shared->halt = CS_NO_TIME;
            return;
        }
        hire(all);
    } while (expand(all) && line_up(all));
}

/* Begin once more, without the reduction that was wrong about this program. */
static void start_again(struct layers *all)
{
    struct cs_shared *shared = all->shared;
    struct cs_result *result = all->result;

    for (unsigned int i = 0; i < all->options.jobs; i++)
        cs_keep_notes(&shared->notes[i]);
    cs_table_empty(&shared->table);
    if (!cs_together(&all->leader, CS_BEGIN_AGAIN))
        return;
    shared->stop = ~0ULL;
    shared->attempt++;
    shared->alone = false;
    result->transitions = result->matched = result->final = result->depth = 0;
    all->states = 1;
    cs_worker_put_initial(&all->leader);
}

/* Add what was noted until the search stopped. */
static void gather(const struct layers *all, enum cs_noting what, struct cs_texts *texts)
{
    const struct cs_shared *shared = all->shared;
    struct cs_moment last = {shared->attempt, shared->depth, shared->stop / CS_STOPS};

    cs_gather(shared->notes, all->options.jobs, what, shared->stop == ~0ULL ? NULL : &last, texts);
}

/* The way to the state with this rank. */
static void retrace(struct layers *all, uint64_t rank)
{
    const struct cs_table *table = &all->shared->table;
    cs_place *way = NULL, place = all->shared->queue[rank], before = CS_NOWHERE;
    size_t length = 0, room = 0;
    struct cs_state state;
    struct cs_store store;

    for (; place != CS_NOWHERE; place = state.parent) {
        way = cs_enough_room(way, length + 1, &room, sizeof *way);
        way[length++] = place;
        cs_table_get(table, place, &state);
    }
    cs_store_begin(&store, CS_EXACT, 0, 0, false);
    for (; length > 0; length--) {
        cs_table_get(table, way[length - 1], &state);
        state.parent = before;
        state.hash = cs_hash(state.bytes, state.matched);
        cs_store_add(&store, &state, &before);
    }
    cs_retrace_record(&all->leader.expander, &all->leader.keys, &store, before, &all->result->schedule);
    cs_store_end(&store);
    free(way);
}

/* Say what is wrong at the state where the search has stopped. */
static void report_stop(struct layers *all)
{
    uint64_t rank = all->shared->stop / CS_STOPS, made;
    struct cs_worker *leader = &all->leader;
    struct cs_result *result = all->result;

    cs_dismiss(&all->staff);
    if (all->shared->stop % CS_STOPS == CS_STOPPED)
        leader->expander.engine->on_cut = leader->on_cut; /* which ends the process */
    made = cs_worker_replay(leader, rank);
    if (all->options.transitions && result->steps - made >= all->options.transitions) {
        result->status = "time"; /* one process alone would not have come that far */
        return;
    }
    if (!leader->is_found) {
        result->status = "error";
        result->text = "a transition is not the same when it is made again";
        return;
    }
    result->has_schedule = true;
    result->kind = leader->found.kind;
    result->text = leader->found.text;
    result->threads = leader->found.threads;
    retrace(all, rank);
    for (size_t i = 0; i < leader->found_legs.count; i++)
        cs_schedule_append(&result->schedule, &leader->found_legs.made[i]);
    result->status = result->kind == CS_NOT_FOLLOWED ? "refused" : "violated";
}

static void conclude(struct layers *all)
{
    struct cs_shared *shared = all->shared;
    struct cs_result *result = all->result;
    struct cs_texts coarse = all->coarse;
    uint64_t stop = shared->stop % CS_STOPS;

    result->states = all->states;
    result->memory = cs_table_memory(&shared->table) + shared->table.others;
    result->jobs = shared->processes;
    if (shared->halt == CS_IS_LOST) {
        result->status = all->staff.out_of_memory ? "memory" : "error";
        result->text = all->staff.lost;
        return;
    }
    gather(all, CS_CUTS, &result->cuts);
    gather(all, CS_LIMITS, &result->limits);
    gather(all, CS_COARSE, &coarse);
    if (shared->stop != ~0ULL && (stop != CS_SURPRISED || !shared->halt))
        report_stop(all);
    else if (shared->halt)
        result->status = shared->halt == CS_NO_TIME ? "time" : "memory";
    else
        result->status = result->cuts.count || result->limits.count || coarse.count ? "unknown" : "safe";
    all->leader.expander.engine->coarse = coarse;
}

bool cs_search_layers(struct cs_engine *engine, const struct cs_options *options, const struct cs_others *others,
                      struct cs_result *result)
{
    struct layers *all = cs_allocate(sizeof *all);
    struct cs_shared *shared;
    double started = cs_now();
    bool answers;

    *all = (struct layers){.others = others, .options = *options, .result = result, .states = 1};
    if (all->options.jobs > CS_MOST_WORKERS)
        all->options.jobs = CS_MOST_WORKERS;
    if (all->options.together == 0)
        all->options.together = TOGETHER;
    if (!begin(all, engine)) {
        end(all);
        free(all);
        return false;
    }
    shared = all->shared;
    shared->stop = ~0ULL;
    cs_worker_put_initial(&all->leader);
    go_through(all);
    while (!shared->halt && shared->stop != ~0ULL && shared->stop % CS_STOPS == CS_SURPRISED) {
        start_again(all);
        go_through(all);
    }
    answers = shared->halt != CS_ANSWERED;
    if (answers)
        conclude(all);
    result->seconds = cs_now() - started;
    end(all);
    free(all);
    return answers;
}
