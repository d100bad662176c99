/* Several searches that take turns. Breadth-first search begins alone: its counterexamples are short, and it proves
 * small programs at once. The others find what is deep. A search that comes to its end has reached all states, so its
 * answer is the answer.
 *
 * What a search may do at a time is counted in transitions, and not in seconds, so that an answer can be had again. */

#include <stdlib.h>
#include <string.h>

#include "extent.h"
#include "parallel/layers.h"
#include "parallel/race.h"
#include "result.h"
#include "search.h"
#include "shortening.h"
#include "walks.h"

enum {
    FIRST_TURN = 1000000, /* breadth-first: some tenths of a second */
    TURN = 60000,         /* of the others, at first */
    SMALL_STATE = 4096,   /* bytes; a transition costs more in a larger one, so there are fewer in a turn */
    MOST_TURN = 1000000,
    FULL_ROUNDS = 16,          /* of those in which a third of the time is for the others */
    PART_OF_MEMORY = 8,        /* of a search that is not breadth-first */
    SHORTENING_LEAST = 100000, /* transitions */
    LEAST_AGAIN = 500000,      /* transitions of a second breadth-first search: about a tenth of a second */
    SHORTENING_SECONDS = 30,   /* by the clock, where others use the machine */
    SHORTENING_MOST = 30000000,
    NARROWEST = 64, /* beam, in states */
    WIDEST = 1 << 20,
    SWARM_TURN = 2000000,
    SHORT_TURN = 10000, /* of breadth-first search between two looks at what others have found */
};

enum { LEAST_BITS = 10, MOST_BITS = 30 }; /* of the table of a swarm, as a power of two */

enum member { BREADTH, DEPTH, DIRECTED, PREEMPTIONS, MEMBERS };
static const char *const names[MEMBERS] = {"bfs", "dfs", "directed", "icb"};
static const enum cs_order orders[MEMBERS] = {CS_BFS, CS_DFS, CS_BEAM, CS_ICB};

struct portfolio {
    struct cs_engine *engine;
    const struct cs_options *options;
    struct cs_result *result;
    char *initial;
    double started;
    struct competitor {
        struct cs_options options;
        struct cs_result result;
        struct cs_search *search;      /* null where it does not take part, or is over */
        struct cs_share share, before; /* before: by searches of this member that are over */
    } members[MEMBERS];
    struct cs_walks *walks;
    struct cs_share walked; /* by walks of another process */
    bool walks_found;
    struct cs_share swarm;
    struct cs_race *race; /* null where all take turns in one process */
};

static void put_initial(const struct portfolio *all) { cs_state_put(all->initial); }

static double seconds_left(const struct portfolio *all) { return all->options->seconds - (cs_now() - all->started); }

static bool is_late(const struct portfolio *all) { return all->options->seconds > 0 && seconds_left(all) <= 0; }

static uint64_t transitions_of(uint64_t turn)
{
    uint64_t fewer = turn * SMALL_STATE / (SMALL_STATE + cs_state_size());
    return fewer > 1 ? fewer : 1;
}

static void enter(struct portfolio *all, enum member which, uint64_t width)
{
    struct competitor *member = &all->members[which];

    member->options = *all->options;
    member->options.order = orders[which];
    member->options.width = width;
    if (which != BREADTH) {
        member->options.memory /= PART_OF_MEMORY;
        member->options.progress = 0;
        member->options.reduce = which == DEPTH && all->options->reduce; /* supersteps are not equally long */
    }
    if (is_late(all))
        return;
    if (all->options->seconds > 0)
        member->options.seconds = seconds_left(all);
    member->result = (struct cs_result){.status = "error"};
    member->before = member->share;
    member->share.name = names[which];
    member->share.seed = all->options->seed;
    put_initial(all);
    member->search = cs_search_new(all->engine, &member->options, &member->result);
}

static void count(struct competitor *member)
{
    member->share.states = member->before.states + cs_search_states(member->search);
    member->share.transitions = member->before.transitions + cs_search_transitions(member->search);
    if (member->result.depth > member->share.depth)
        member->share.depth = member->result.depth;
}

static void leave(struct competitor *member)
{
    if (!member->search)
        return;
    count(member);
    cs_search_free(member->search);
    member->search = NULL;
}

static uint64_t transitions_so_far(const struct portfolio *all)
{
    uint64_t sum = cs_walks_share(all->walks).transitions + all->swarm.transitions;

    for (int i = 0; i < MEMBERS; i++)
        sum +=
            all->members[i].search ? cs_search_transitions(all->members[i].search) : all->members[i].share.transitions;
    return sum;
}

/* Adopt an answer; true for a violation. */
static bool adopt(struct portfolio *all, const struct cs_result *answer)
{
    if (all->race)
        cs_race_claim(all->race);
    *all->result = *answer;
    all->result->share_count = 0;
    return !strcmp(answer->status, "violated");
}

/* A search to its end. Whether it made supersteps. */
static bool search_to_the_end(struct cs_engine *engine, const struct cs_options *options, struct cs_result *result)
{
    struct cs_search *search;
    bool reduces;

    if ((options->jobs > 1 || options->shares) && cs_can_share(options)
        && cs_search_layers(engine, options, NULL, result))
        return options->reduce && cs_can_reduce();
    search = cs_search_new(engine, options, result);
    cs_search_go_on(search, options->transitions ? options->transitions : ~0ULL >> 1);
    reduces = cs_search_reduces(search);
    if (!strcmp(result->status, "violated"))
        cs_search_free(search); /* otherwise memory is not given back, as the process ends */
    return reduces;
}

/* Breadth-first, a violation that was found by supersteps need not be the shortest: look for a shorter one without
 * them, for as many transitions as it took to find the first, and within the limit. */
static void shorten_breadth_first(struct cs_engine *engine, const struct cs_options *options, struct cs_result *first)
{
    struct cs_options again = *options;
    struct cs_result shorter = {.status = "error"};

    again.reduce = false;
    again.depth = (unsigned int)first->schedule.count - 1;
    again.transitions = transitions_of(LEAST_AGAIN);
    if (first->steps > again.transitions)
        again.transitions = first->steps;
    if (options->seconds > 0 && (again.seconds = options->seconds - first->seconds) <= 0)
        return;
    search_to_the_end(engine, &again, &shorter);
    if (strcmp(shorter.status, "violated"))
        return;
    first->kind = shorter.kind;
    first->text = shorter.text;
    first->threads = shorter.threads;
    first->schedule = shorter.schedule;
}

/* Make what was found shorter, for about as long as it took to find it. */
static void shorten(struct portfolio *all, enum member which)
{
    uint64_t most = transitions_so_far(all);
    double seconds = SHORTENING_SECONDS;

    put_initial(all);
    if (which == BREADTH) {
        if (all->options->reduce && cs_can_reduce() && all->result->schedule.count > 1) {
            leave(&all->members[which]);
            put_initial(all);
            shorten_breadth_first(all->engine, &all->members[which].options, all->result);
        }
        return;
    }
    if (all->options->seconds > 0 && seconds_left(all) < seconds)
        seconds = seconds_left(all);
    if (__CSEQ_runnable || seconds <= 0) /* a scheduler says who may run when */
        return;
    if (most < SHORTENING_LEAST)
        most = SHORTENING_LEAST;
    cs_shorten(all->engine, all->options, all->result, most < SHORTENING_MOST ? most : SHORTENING_MOST, seconds);
}

/* How much memory those have that are not breadth-first; in a process of their own, how much they may have. */
static size_t memory_of_others(const struct portfolio *all)
{
    size_t sum = 0;

    if (all->race)
        return cs_race_has_others(all->race) ? all->options->memory / PART_OF_MEMORY * (MEMBERS - 1) : 0;

    for (int i = BREADTH + 1; i < MEMBERS; i++)
        sum += all->members[i].search ? cs_search_memory(all->members[i].search) : 0;
    return sum;
}

/* Breadth-first search goes on. False where it has the answer. When it needs the memory, the others give theirs back:
 * of all it is the one that is most likely to come to its end. */
static bool take_turn_breadth_first(struct portfolio *all, uint64_t turn)
{
    struct competitor *member = &all->members[BREADTH];
    size_t others = memory_of_others(all);
    bool goes_on;

    if (all->options->memory)
        member->options.memory = all->options->memory - others;
    goes_on = cs_search_go_on(member->search, transitions_of(turn));
    if (!goes_on && others > 0 && !strcmp(member->result.status, "memory") && cs_search_is_whole(member->search)) {
        if (all->race)
            cs_race_claim(all->race);
        for (int i = BREADTH + 1; i < MEMBERS; i++)
            leave(&all->members[i]);
        return true;
    }
    count(member);
    if (goes_on)
        return true;
    member->share.found = adopt(all, &member->result);
    if (member->share.found)
        shorten(all, BREADTH);
    return false;
}

/* Another member goes on. False where it has the answer. It leaves for good where it reaches a bound, or something that
 * cannot be followed: others may come further. */
static bool take_turn(struct portfolio *all, enum member which, uint64_t turn)
{
    struct competitor *member = &all->members[which];
    const char *status;

    if (!member->search)
        return true;
    if (cs_search_go_on(member->search, transitions_of(turn))) {
        count(member);
        return true;
    }
    leave(member);
    status = member->result.status;
    if (strcmp(status, "violated") != 0
        && (which == DIRECTED || (strcmp(status, "safe") != 0 && strcmp(status, "unknown") != 0)))
        return true;
    member->share.found = adopt(all, &member->result);
    if (member->share.found)
        shorten(all, which);
    return false;
}

/* Beams, each twice as wide as the one before. False where one has found something. */
static bool direct(struct portfolio *all, uint64_t turn)
{
    struct competitor *member = &all->members[DIRECTED];

    if (!member->search)
        return true;
    if (!take_turn(all, DIRECTED, turn))
        return false;
    if (!member->search && !strcmp(member->result.status, "unknown") && member->options.width < WIDEST)
        enter(all, DIRECTED, member->options.width * 2);
    return true;
}

static bool walk(struct portfolio *all, uint64_t turn)
{
    struct cs_result found = {.status = "unknown"};

    if (cs_walks_go_on(all->walks, transitions_of(turn), &found))
        return true;
    all->walks_found = adopt(all, &found);
    shorten(all, MEMBERS);
    return false;
}

/* How many turns of the others are one of breadth-first search: the longer nothing is found, the more likely is a
 * proof.
 */
static uint64_t breadth(unsigned int round) { return round < FULL_ROUNDS ? 8 : round < 2 * FULL_ROUNDS ? 12 : 36; }

/* The others begin. */
static void enter_others(struct portfolio *all)
{
    enter(all, DEPTH, 0);
    if (__CSEQ_distance && !__CSEQ_runnable && all->options->check == CS_CHECK_ASSERTION)
        enter(all, DIRECTED, NARROWEST);
    if (!__CSEQ_runnable)
        enter(all, PREEMPTIONS, 0);
}

/* What each has done is written down where the other side sees it, or is read there. What is not yet written is zero:
   then breadth-first search has done what it did before the race. */
static void exchange_shares(struct portfolio *all)
{
    bool is_first = cs_race_side(all->race) == CS_BREADTH_FIRST;

    for (unsigned int i = 0; i < MEMBERS; i++) {
        struct cs_share *share = cs_race_share(all->race, i);
        if ((i == BREADTH) == is_first)
            *share = all->members[i].share;
        else if (share->transitions > 0)
            all->members[i].share = *share;
    }
    if (is_first)
        all->walked = *cs_race_share(all->race, MEMBERS);
    else
        *cs_race_share(all->race, MEMBERS) = cs_walks_share(all->walks);
}

/* The other searches, in their process. */
static void compete_as_others(struct portfolio *all, uint64_t turn)
{
    leave(&all->members[BREADTH]);
    enter_others(all);
    while (direct(all, turn) && walk(all, turn) && take_turn(all, DEPTH, turn) && take_turn(all, PREEMPTIONS, turn)) {
        exchange_shares(all);
        if (is_late(all))
            exit(0); /* the other side says so */
        turn = turn * 5 / 4 < MOST_TURN ? turn * 5 / 4 : MOST_TURN;
    }
}

/* Breadth-first search begins again, shared by several processes. False where these cannot be made. */
static bool compete_in_layers(struct portfolio *all)
{
    struct competitor *member = &all->members[BREADTH];
    struct cs_others others = cs_race_others(all->race, memory_of_others(all));
    double left = seconds_left(all);

    member->options.jobs = all->options->jobs - 1;
    if (all->options->seconds > 0)
        member->options.seconds = left > 1e-3 ? left : 1e-3; /* 0 would be no limit */
    member->options.memory = all->options->memory;
    member->result = (struct cs_result){.status = "error"};
    put_initial(all);
    if (!cs_search_layers(all->engine, &member->options, &others, &member->result)) {
        if (cs_race_is_lost(all->race))
            cs_race_claim(all->race);
        return false;
    }
    member->share.states = member->result.states;
    member->share.transitions += member->result.steps;
    if (member->result.depth > member->share.depth)
        member->share.depth = member->result.depth;
    member->share.found = adopt(all, &member->result);
    if (member->share.found)
        shorten(all, BREADTH);
    return true;
}

/* Breadth-first search, in the first process, while the others work in theirs. */
static void compete_breadth_first(struct portfolio *all)
{
    struct competitor *member = &all->members[BREADTH];

    exchange_shares(all);
    if (all->options->jobs > 2) {
        leave(member);
        if (compete_in_layers(all))
            return;
        enter(all, BREADTH, 0);
    }
    while (take_turn_breadth_first(all, SHORT_TURN)) {
        exchange_shares(all);
        if (cs_race_is_lost(all->race))
            cs_race_claim(all->race);
    }
}

/* Rounds until somebody has the answer, or the time is up. With several processes, there are two sides instead. */
static void compete(struct portfolio *all)
{
    uint64_t first = all->options->turn, turn = first ? first : TURN;

    all->walks = cs_walks_new(all->engine, all->options);
    enter(all, BREADTH, 0);
    if (!take_turn_breadth_first(all, first ? first : FIRST_TURN))
        return;
    if (all->options->jobs > 1 && (all->race = cs_race_begin(all->engine, all->options))) {
        if (cs_race_side(all->race) == CS_OTHER_SEARCHES)
            compete_as_others(all, turn);
        else
            compete_breadth_first(all);
        exchange_shares(all);
        return;
    }
    enter_others(all);
    for (unsigned int round = 0; direct(all, turn) && walk(all, turn) && take_turn(all, DEPTH, turn)
         && take_turn(all, PREEMPTIONS, turn) && take_turn_breadth_first(all, breadth(round) * turn);
         round++)
        turn = turn * 5 / 4 < MOST_TURN ? turn * 5 / 4 : MOST_TURN;
}

/* Where the memory has ended: depth-first searches that remember a few bits of each state and take successors in random
 * order, each with another seed (Holzmann, Joshi and Groce, "Swarm verification techniques", TSE 2011), and walks; for
 * as long as the search took so far. */
static void swarm(struct portfolio *all)
{
    uint64_t most = transitions_so_far(all), begun = most, turn = most / 8 + 1;
    struct cs_options options = *all->options;

    for (int i = 0; i < MEMBERS; i++)
        leave(&all->members[i]);
    all->swarm = (struct cs_share){.name = "swarm", .seed = options.seed};
    options.order = CS_DFS;
    options.storing = CS_BITS;
    options.shuffles = true;
    for (options.bits = MOST_BITS; options.bits > LEAST_BITS && 1ULL << options.bits > options.memory * 2;
         options.bits--)
        ; /* eight bits are a byte, and it may have a quarter of the memory */
    options.progress = 0;
    if (turn > SWARM_TURN)
        turn = SWARM_TURN;
    while (transitions_so_far(all) < begun + most && !is_late(all)) {
        struct cs_result found = {.status = "error"};
        struct cs_search *search;
        bool is_over;

        put_initial(all);
        if (!walk(all, turn))
            return;
        if (options.seconds > 0 && (options.seconds = seconds_left(all)) <= 0)
            return;
        put_initial(all);
        options.seed++;
        search = cs_search_new(all->engine, &options, &found);
        is_over = !cs_search_go_on(search, transitions_of(turn));
        all->swarm.walks++;
        all->swarm.states += cs_search_states(search);
        all->swarm.transitions += cs_search_transitions(search);
        if (found.depth > all->swarm.depth)
            all->swarm.depth = found.depth;
        if (is_over && !strcmp(found.status, "violated")) {
            all->swarm.found = adopt(all, &found);
            cs_search_free(search);
            shorten(all, MEMBERS);
            return;
        }
        cs_search_free(search);
    }
}

static void add_share(struct cs_result *result, const struct cs_share *share)
{
    if (share->transitions == 0 || result->share_count == CS_MOST_SHARES)
        return;
    result->shares[result->share_count++] = *share;
}

/* What each of them did. */
static void conclude(struct portfolio *all)
{
    struct cs_result *result = all->result;
    struct cs_share walks = cs_walks_share(all->walks);

    walks.found = all->walks_found;
    walks.walks += all->walked.walks;
    walks.transitions += all->walked.transitions;
    if (all->walked.depth > walks.depth)
        walks.depth = all->walked.depth;
    if (all->race) {
        result->jobs = all->options->jobs;
        result->cpu_seconds = cs_race_cpu_seconds(all->race);
    }
    result->share_count = 0;
    result->states = result->steps = 0;
    for (int i = 0; i < MEMBERS; i++)
        if (all->members[i].share.name)
            add_share(result, &all->members[i].share);
    add_share(result, &walks);
    add_share(result, &all->swarm);
    for (unsigned int i = 0; i < result->share_count; i++) {
        const struct cs_share *share = &result->shares[i];
        result->steps += share->transitions;
        result->states = share->states > result->states ? share->states : result->states;
        result->depth = share->depth > result->depth ? share->depth : result->depth;
    }
    result->seconds = cs_now() - all->started;
}

static void search_alone(struct cs_engine *engine, const struct cs_options *options, struct cs_result *result)
{
    bool reduces = search_to_the_end(engine, options, result);

    if (options->order == CS_BFS && reduces && result->schedule.count > 1 && !strcmp(result->status, "violated"))
        shorten_breadth_first(engine, options, result);
}

void cs_search(struct cs_engine *engine, const struct cs_options *options, struct cs_result *result)
{
    /* What bounds or abstracts from states is meant for one search. */
    bool bounded = options->depth > 0 || options->preemptions >= 0 || options->storing != CS_EXACT;
    struct cs_options alone = *options;
    struct portfolio all = {.engine = engine, .options = options, .result = result, .started = cs_now()};

    if (alone.order == CS_AUTO)
        alone.order = CS_BFS;
    if (options->order != CS_AUTO || bounded || __CSEQ_abstract) {
        search_alone(engine, &alone, result);
        return;
    }
    all.initial = cs_allocate(cs_state_size());
    cs_state_take(all.initial);
    compete(&all);
    if (!strcmp(result->status, "memory"))
        swarm(&all);
    conclude(&all);
}
