/* Finds the exact execution of which another checker has given an outline: which threads move, one after the other, and
 * where each stands afterwards. The outline does not say what they choose. It may also have more moves than there are
 * transitions, as threads go on past some places without stopping, or, now and then, fewer.
 *
 * A depth-first search over all choices. Each difference from the outline costs something, and what an execution may
 * cost grows from search to search: the one that is like the outline is found first (limited discrepancy search).
 * Where the outline says what the memory is after a move (__CSEQ_is_expected), executions in which that is so come
 * first. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../extent.h"
#include "../pack.h"
#include "../result.h"
#include "../walks.h"
#include "../way.h"
#include "outline.h"

enum { IDLE = 3, ROUNDS = 4, DEEPEST = 10000, MOST = 2000000, SLACK = 8 };

/* A state of the execution that is tried. */
struct level {
    char *state, *after; /* after: the next one */
    size_t moves, transitions;
};

/* What was found out: from the state with this key, nothing that costs no more in total. */
struct known {
    uint64_t key;
    unsigned int cost; /* plus one */
};

struct guide {
    struct cs_engine *engine;
    struct cs_result *result;
    struct cs_outline outline;
    struct cs_look look;
    struct level *levels;
    size_t depth, level_room, total, furthest;
    struct known *known;
    size_t known_count, known_room;
    struct cs_packer packer;
    unsigned char *packed;
    char *idle; /* room for a state */
    unsigned int most_cost;
    uint64_t transitions, most_transitions;
    double end;
    bool expects;
};

static const struct cs_move *move_at(const struct guide *guide, size_t move)
{
    return &guide->outline.moves[cs_move_number(&guide->outline, move)];
}

/* Whether the current state can be that after the move, of *thread*. */
static bool fits(const struct guide *guide, size_t number, unsigned int thread)
{
    const struct cs_move *move = move_at(guide, number);
    unsigned int place = __CSEQ_place(thread);
    bool found = move->count == 0;

    for (size_t i = 0; i < move->count && !found; i++)
        found = move->places[i] == place;
    return found && !(guide->expects && !__CSEQ_is_expected((unsigned int)cs_move_number(&guide->outline, number)));
}

/* States that are known */

static struct known *slot(const struct guide *guide, uint64_t key)
{
    size_t at = key & (guide->known_room - 1);

    while (guide->known[at].cost && guide->known[at].key != key)
        at = (at + 1) & (guide->known_room - 1);
    return &guide->known[at];
}

static void make_room(struct guide *guide)
{
    struct known *old = guide->known;
    size_t room = guide->known_room;

    if (2 * (guide->known_count + 1) < room)
        return;
    guide->known_room = room ? 2 * room : 1024;
    guide->known = cs_allocate(guide->known_room * sizeof *guide->known);
    for (size_t i = 0; i < room; i++)
        if (old[i].cost)
            *slot(guide, old[i].key) = old[i];
    free(old);
}

/* Whether the search has come to the current state after the same moves, at no more cost. */
static bool is_known(struct guide *guide, size_t moves, unsigned int cost)
{
    uint64_t key = cs_hash(guide->packed, cs_pack(&guide->packer, guide->packed)) ^ moves * 0x9e3779b97f4a7c15ULL;
    struct known *known;

    make_room(guide);
    known = slot(guide, key);
    if (known->cost && known->cost <= cost + 1)
        return true;
    guide->known_count += !known->cost;
    *known = (struct known){key, cost + 1};
    return false;
}

static void forget_all(struct guide *guide)
{
    memset(guide->known, 0, guide->known_room * sizeof *guide->known);
    guide->known_count = 0;
}

/* How the execution ends */

static bool found(struct guide *guide, enum cs_kind kind, const char *text, __CSEQ_set threads)
{
    struct cs_result *result = guide->result;

    result->status = "violated";
    result->has_schedule = true;
    result->kind = kind;
    result->text = text;
    result->threads = threads;
    return true;
}

static bool has_text(const struct cs_outline *outline, const char *text)
{
    return !*outline->text || !strcmp(outline->text, text);
}

/* Whether the last transition is the violation. */
static bool is_violation(struct guide *guide)
{
    const struct cs_transition *made = &guide->engine->transition;
    const struct cs_outline *outline = &guide->outline;
    struct cs_event event;

    if (!cs_is_violation(CS_CHECK_ASSERTION, made, &event)
        || outline->end != (event.kind == CS_CRASH ? CS_OUTLINE_CRASHES : CS_OUTLINE_VIOLATED)
        || !has_text(outline, event.text))
        return false;
    return found(guide, event.kind, event.text, 0);
}

/* Whether the thread comes back to the current state by itself. Adds that to the execution. */
static bool goes_round(struct guide *guide, unsigned int thread)
{
    struct cs_transition *made = &guide->engine->transition;
    struct cs_schedule *schedule = &guide->result->schedule;
    size_t before = schedule->count;

    cs_state_take(guide->idle);
    while (schedule->count < before + IDLE && (__CSEQ_alive() >> thread & 1)) {
        made->scripted = 0;
        guide->transitions++;
        if (cs_make(guide->engine, thread) != CS_MADE)
            break;
        cs_schedule_add(schedule, &(struct cs_leg){thread, 1, made->chosen, made->choices});
        if (cs_state_is(guide->idle))
            return true;
    }
    while (schedule->count > before)
        free(schedule->made[--schedule->count].values);
    cs_state_put(guide->idle);
    return false;
}

/* Have all threads that can go on, but for some, go round on their own, where that changes nothing: outlines leave out
 * such moves, and without them the execution may not be fair. Returns whether any does, or none can go on. */
static bool all_go_round(struct guide *guide, __CSEQ_set others)
{
    __CSEQ_set enabled;
    bool any = false;

    cs_look(&guide->look);
    enabled = guide->look.enabled;
    for (unsigned int thread = 0; thread < __CSEQ_most_threads; thread++)
        if (enabled & ~others & __CSEQ_ONLY(thread))
            any = goes_round(guide, thread) || any;
    return any || enabled == 0;
}

static bool repeats(struct guide *guide, size_t transitions)
{
    guide->result->has_cycle = true;
    guide->result->cycle = transitions;
    return found(guide, CS_ASSERTION, NULL, 0);
}

/* Whether the current state is one from which the same moves were made before. */
static bool comes_back(struct guide *guide, size_t moves)
{
    const struct cs_schedule *schedule = &guide->result->schedule;
    size_t length = cs_round_length(&guide->outline), made = schedule->count;
    __CSEQ_set movers = 0;

    for (size_t i = guide->depth; i-- > 0 && length > 0;) {
        const struct level *level = &guide->levels[i];
        if (level->moves < guide->outline.first)
            break;
        if (level->moves < moves && (moves - level->moves) % length == 0 && level->transitions < made
            && cs_state_is(level->state)) {
            for (size_t k = level->transitions; k < made; k++)
                movers |= __CSEQ_ONLY(schedule->made[k].thread);
            all_go_round(guide, movers);
            return repeats(guide, level->transitions);
        }
    }
    return false;
}

static void ask_invariant(void *text) { *(const char **)text = __CSEQ_invariant(); }

/* Whether the execution ends in the current state, as is wanted. */
static bool is_end(struct guide *guide, size_t moves)
{
    const struct cs_outline *outline = &guide->outline;
    const char *text = NULL;
    uint64_t before = guide->look.expander.transitions;
    size_t made = guide->result->schedule.count;
    bool looks;

    if (outline->end == CS_OUTLINE_INVARIANT && __CSEQ_invariant
        && cs_protected(guide->engine, ask_invariant, &text) == CS_MADE && text && has_text(outline, text))
        return found(guide, CS_INVARIANT, text, 0);
    if (outline->end == CS_OUTLINE_REPEATED && moves >= outline->count && comes_back(guide, moves))
        return true;
    if (moves < outline->count || outline->end < CS_OUTLINE_DEADLOCK)
        return false;
    if (outline->end == CS_OUTLINE_REACHED)
        return found(guide, CS_ASSERTION, NULL, 0);
    if (outline->end == CS_OUTLINE_REPEATED)
        return cs_round_length(outline) == 0 && all_go_round(guide, 0) && repeats(guide, made);
    looks = cs_look(&guide->look);
    guide->transitions += guide->look.expander.transitions - before;
    if (!looks || (guide->look.event.threads & outline->threads) != outline->threads)
        return false;
    return found(guide, guide->look.event.kind, NULL, guide->look.event.threads);
}

/* The search */

static bool is_over(const struct guide *guide)
{
    return guide->transitions >= guide->most_transitions || (guide->end > 0 && cs_now() > guide->end);
}

static struct level *new_level(struct guide *guide, size_t moves)
{
    struct level *level;
    size_t room = guide->level_room;

    guide->levels = cs_enough_room(guide->levels, guide->depth + 1, &guide->level_room, sizeof *guide->levels);
    if (guide->level_room > room)
        memset(guide->levels + room, 0, (guide->level_room - room) * sizeof *guide->levels);
    level = &guide->levels[guide->depth++];
    if (!level->state) {
        level->state = cs_allocate(cs_state_size());
        level->after = cs_allocate(cs_state_size());
    }
    level->moves = moves;
    level->transitions = guide->result->schedule.count;
    cs_state_take(level->state);
    return level;
}

static bool search(struct guide *guide, size_t moves, unsigned int cost);

/* Go on from the current state, which can be that after any of the next moves of the thread. from: the first of these
 * that counts; where it is 0, it can also be a state between two moves. */
static bool go_on(struct guide *guide, const char *state, size_t moves, size_t from, unsigned int thread,
                  unsigned int cost)
{
    size_t next = moves;

    for (unsigned int left_out = 0; next < guide->total && cost + left_out <= guide->most_cost; next++) {
        const struct cs_move *move = move_at(guide, next);
        if (!(move->threads >> thread & 1))
            break;
        left_out += from > 0 && !move->seldom;
        if (fits(guide, next, thread) && cost + left_out <= guide->most_cost) {
            if (search(guide, next + 1, cost + left_out))
                return true;
            cs_state_put(state);
        }
        left_out += from == 0 && !move->seldom;
    }
    return from == 0 && search(guide, moves, cost + 1);
}

/* The state after the last transition, of *thread*. */
static bool follow(struct guide *guide, char *after, size_t moves, unsigned int thread, unsigned int cost)
{
    const struct cs_transition *made = &guide->engine->transition;
    const struct cs_outline *outline = &guide->outline;

    if (is_violation(guide))
        return true;
    if (made->outcome == CS_EXITED && outline->end == CS_OUTLINE_REPEATED && outline->first == outline->count
        && moves + 1 >= outline->count)
        return repeats(guide, guide->result->schedule.count);
    if (made->outcome != CS_MADE)
        return false;
    cs_state_take(after);
    return go_on(guide, after, moves, 0, thread, cost);
}

/* Have the thread make a transition, with each of its choices. */
static bool try_thread(struct guide *guide, size_t depth, size_t moves, unsigned int thread, unsigned int cost)
{
    struct cs_transition *made = &guide->engine->transition;
    struct cs_schedule *schedule = &guide->result->schedule;
    struct cs_choice *choices;
    unsigned int chosen;
    bool done;

    if (!(__CSEQ_alive() >> thread & 1))
        return false;
    made->scripted = 0;
    do {
        guide->transitions++;
        cs_make(guide->engine, thread);
        chosen = made->chosen;
        choices = cs_allocate(chosen * sizeof *choices);
        memcpy(choices, made->choices, chosen * sizeof *choices);
        cs_schedule_add(schedule, &(struct cs_leg){thread, 1, chosen, choices});
        done = follow(guide, guide->levels[depth].after, moves, thread, cost);
        memcpy(made->choices, choices, chosen * sizeof *choices);
        made->chosen = chosen;
        free(choices);
        if (done)
            return true;
        free(schedule->made[--schedule->count].values);
        cs_state_put(guide->levels[depth].state);
    } while (!is_over(guide) && cs_next_choices(made));
    return false;
}

/* Search from the current state, to which so many moves have led. The state is another one afterwards. */
static bool search(struct guide *guide, size_t moves, unsigned int cost)
{
    size_t depth = guide->depth;
    __CSEQ_set may, next;
    bool done = false;

    if (moves > guide->furthest)
        guide->furthest = moves;
    if (cost > guide->most_cost || depth == DEEPEST || is_over(guide) || is_known(guide, moves, cost))
        return false;
    if (is_end(guide, moves))
        return true;
    new_level(guide, moves);
    may = __CSEQ_ANY_THREAD;
    if (__CSEQ_runnable) {
        cs_look(&guide->look);
        may = guide->look.enabled;
    }
    next = moves < guide->total ? move_at(guide, moves)->threads
                                : __CSEQ_ANY_THREAD; /* at the end, any thread may end it */
    for (unsigned int thread = 0; !done && thread < __CSEQ_most_threads; thread++)
        if (next & may & __CSEQ_ONLY(thread))
            done = try_thread(guide, depth, moves, thread, cost);
    for (unsigned int thread = 0; !done && moves < guide->total && thread < __CSEQ_most_threads; thread++)
        if (next >> thread & 1)
            done = go_on(guide, guide->levels[depth].state, moves, 1, thread, cost);
    guide->depth = depth;
    return done;
}

/* Search again and again, each time allowing for more differences. */
static bool search_all(struct guide *guide, char *initial)
{
    size_t most = 2 * guide->total + SLACK;

    for (guide->most_cost = 0; guide->most_cost < most && !is_over(guide);
         guide->most_cost = 2 * guide->most_cost + 1) {
        if (search(guide, 0, 0))
            return true;
        cs_state_put(initial);
        forget_all(guide);
        guide->depth = 0;
    }
    return false;
}

void cs_guide(struct cs_engine *engine, const struct cs_options *options, struct cs_result *result)
{
    struct guide guide = {.engine = engine, .result = result};
    struct cs_outline *outline = &guide.outline;
    char *initial = cs_allocate(cs_state_size());
    static char text[100];
    double started = cs_now();

    if (!cs_read_outline(outline, cs_read_file(options->guide))) {
        result->text = "no outline of an execution";
        return;
    }
    guide.end = options->seconds > 0 ? started + options->seconds : 0;
    guide.most_transitions = options->turn ? options->turn : MOST;
    guide.total = outline->count + (ROUNDS - 1) * cs_round_length(outline);
    cs_look_begin(&guide.look, engine, outline->end == CS_OUTLINE_RACE ? CS_CHECK_RACE : CS_CHECK_DEADLOCK);
    cs_pack_begin(&guide.packer);
    guide.packed = cs_allocate(cs_packed_most(&guide.packer));
    guide.idle = cs_allocate(cs_state_size());
    make_room(&guide);
    cs_state_take(initial);
    result->status = "unknown";
    guide.expects = __CSEQ_is_expected != NULL;
    if (guide.expects)
        guide.most_transitions /= 2;
    if (!search_all(&guide, initial) && guide.expects) {
        guide.expects = false;
        guide.most_transitions *= 2;
        search_all(&guide, initial);
    }
    if (!result->has_schedule) {
        snprintf(text, sizeof text, "no such execution: %zu of %zu moves", guide.furthest, outline->count);
        result->text = text;
    }
    result->transitions = guide.transitions;
    result->seconds = cs_now() - started;
}
