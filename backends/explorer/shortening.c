/* Delta debugging (Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input", TSE 2002) on the
 * segments of a schedule: the stretches between two context switches. Some of them are put together, or left out, and
 * the program is run with what is left. A thread that is blocked where it should go on does so later; what it chooses
 * is what it chose before, in the same order. What counts is the execution that came of it: if it violates the same
 * claim, and is better, it is the one to go on with. Large parts are tried first. */

#include "shortening.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "extent.h"
#include "walks.h"
#include "way.h"

struct segment {
    unsigned int thread;
    uint64_t count; /* transitions */
};

struct segments {
    struct segment *at;
    size_t count, room;
};

/* What a thread chose, one after the other. */
struct chosen {
    unsigned long *values;
    size_t count, room, used;
};

/* An execution. */
struct trial {
    struct segments segments;
    struct chosen chosen[CS_MOST_THREADS];
    uint64_t transitions;
    struct cs_event found;
};

struct shortening {
    struct cs_engine *engine;
    const struct cs_result *result;
    enum cs_check check;
    struct cs_look look;
    char *initial, *before;
    double end;
    clock_t cpu_end;
    uint64_t left; /* transitions that may still be made */
    struct trial *best, *made;
    struct segments tried;
    unsigned int running;
    bool wakes_spuriously; /* threads may, since somebody does in the execution that was found */
    bool has_spurious;
};

static void add_segment(struct segments *segments, unsigned int thread, uint64_t count)
{
    if (segments->count > 0 && segments->at[segments->count - 1].thread == thread) {
        segments->at[segments->count - 1].count += count;
    } else if (count > 0) {
        segments->at = cs_enough_room(segments->at, segments->count + 1, &segments->room, sizeof *segments->at);
        segments->at[segments->count++] = (struct segment){thread, count};
    }
}

static void add_chosen(struct chosen *chosen, unsigned long value)
{
    chosen->values = cs_enough_room(chosen->values, chosen->count + 1, &chosen->room, sizeof *chosen->values);
    chosen->values[chosen->count++] = value;
}

static void empty(struct trial *trial)
{
    trial->segments.count = 0;
    trial->transitions = 0;
    for (unsigned int i = 0; i < CS_MOST_THREADS; i++)
        trial->chosen[i].count = trial->chosen[i].used = 0;
}

/* Running a schedule */

static unsigned long pick(void *context, unsigned long count)
{
    struct shortening *all = context;
    struct chosen *chosen = &all->best->chosen[all->running];

    return chosen->used < chosen->count ? chosen->values[chosen->used++] % count : 0;
}

enum { SECONDS = 3 }; /* of CPU time, at most */
enum { MADE, BLOCKED, OVER, VIOLATED };

static int make(struct shortening *all, unsigned int thread)
{
    const struct cs_transition *made = &all->engine->transition;
    size_t used = all->best->chosen[thread].used;
    bool violated;

    if (all->left == 0)
        return OVER;
    all->left--;
    cs_state_take(all->before);
    all->running = thread;
    all->engine->transition.scripted = 0;
    all->engine->listener = (struct cs_listener){.context = all, .pick = pick};
    cs_make(all->engine, thread);
    all->engine->listener = (struct cs_listener){0};
    if (made->outcome == CS_BLOCKED || made->outcome == CS_DROPPED || (made->spurious && !all->wakes_spuriously)) {
        cs_state_put(all->before);
        all->best->chosen[thread].used = used;
        return BLOCKED;
    }
    all->has_spurious = all->has_spurious || made->spurious;
    violated = cs_is_violation(all->check, made, &all->made->found);
    if (made->outcome == CS_MADE || violated) {
        add_segment(&all->made->segments, thread, 1);
        all->made->transitions++;
        for (unsigned int i = 0; i < made->chosen; i++)
            add_chosen(&all->made->chosen[thread], made->choices[i].value);
    } else {
        cs_state_put(all->before);
    }
    return violated ? VIOLATED : made->outcome == CS_MADE ? MADE : OVER;
}

/* Make up to *owed* transitions of the thread. */
static int make_some(struct shortening *all, unsigned int thread, uint64_t *owed)
{
    int how = MADE;

    while (*owed > 0 && how == MADE && (__CSEQ_alive() >> thread & 1))
        if ((how = make(all, thread)) == MADE)
            --*owed;
    return how;
}

static bool is_violated(struct shortening *all)
{
    const struct cs_result *sought = all->result;
    const struct cs_event *found = &all->made->found;

    return found->kind == sought->kind
        && (sought->kind == CS_DEADLOCK || sought->kind == CS_RACE
            || (found->text && sought->text && !strcmp(found->text, sought->text)));
}

/* Whether the segments in *tried*, or some of them, lead to the violation. What happened is in *made*. */
static bool run(struct shortening *all)
{
    uint64_t owed[CS_MOST_THREADS] = {0};
    bool goes_on = true;
    int how = MADE;

    empty(all->made);
    for (unsigned int i = 0; i < CS_MOST_THREADS; i++)
        all->best->chosen[i].used = 0;
    cs_state_put(all->initial);
    for (size_t i = 0; i < all->tried.count && how < OVER; i++) {
        unsigned int thread = all->tried.at[i].thread;
        owed[thread] += all->tried.at[i].count;
        how = make_some(all, thread, &owed[thread]);
    }
    while (how < OVER && goes_on) {
        goes_on = false;
        for (unsigned int thread = 0; thread < __CSEQ_most_threads && how < OVER; thread++) {
            uint64_t before = owed[thread];
            how = make_some(all, thread, &owed[thread]);
            goes_on = goes_on || owed[thread] < before;
        }
    }
    if (how == VIOLATED)
        return is_violated(all);
    if (how == OVER && all->left == 0)
        return false;
    if (!cs_look(&all->look))
        return false;
    all->made->found = all->look.event;
    return is_violated(all);
}

static bool is_over(const struct shortening *all)
{
    return all->left == 0 || cs_now() > all->end || clock() > all->cpu_end;
}

/* Run what is in *tried*, and keep it if it is better. */
static bool improve(struct shortening *all)
{
    struct trial *made = all->made;
    const struct trial *best = all->best;
    bool fewer;

    if (!run(all))
        return false;
    fewer = made->segments.count < best->segments.count
        || (made->segments.count == best->segments.count && made->transitions < best->transitions);
    if (fewer) {
        all->made = all->best;
        all->best = made;
    }
    return fewer;
}

/* What is tried */

static void copy(struct shortening *all, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        add_segment(&all->tried, all->best->segments.at[i].thread, all->best->segments.at[i].count);
}

/* Segments *from* to *to* - 1, those of each thread put together; the threads in the order in which they come first,
 * or last. */
static void put_together(struct shortening *all, size_t from, size_t to, bool last)
{
    const struct segment *at = all->best->segments.at;
    unsigned int order[CS_MOST_THREADS], threads = 0;
    uint64_t sums[CS_MOST_THREADS] = {0};

    for (size_t i = 0; i < to - from; i++) {
        const struct segment *segment = &at[last ? to - 1 - i : from + i];
        if (!sums[segment->thread])
            order[threads++] = segment->thread;
        sums[segment->thread] += segment->count;
    }
    for (unsigned int i = 0; i < threads; i++) {
        unsigned int thread = order[last ? threads - 1 - i : i];
        add_segment(&all->tried, thread, sums[thread]);
    }
}

enum change { BY_FIRST, BY_LAST, LEAVE_OUT, CHANGES };

static bool change(struct shortening *all, enum change how, size_t from, size_t to)
{
    all->tried.count = 0;
    copy(all, 0, from);
    if (how != LEAVE_OUT)
        put_together(all, from, to, how == BY_LAST);
    copy(all, to, all->best->segments.count);
    return improve(all);
}

/* Have segment *which* made with the next one of its thread, or with the one before. */
static bool move(struct shortening *all, size_t which, bool later)
{
    const struct segments *segments = &all->best->segments;
    struct segment moved = segments->at[which];
    size_t other = which;

    do {
        if (later ? other + 1 == segments->count : other == 0)
            return false;
        other = later ? other + 1 : other - 1;
    } while (segments->at[other].thread != moved.thread);
    all->tried.count = 0;
    for (size_t i = 0; i < segments->count; i++) {
        if (i == other)
            add_segment(&all->tried, moved.thread, moved.count);
        if (i != which)
            copy(all, i, i + 1);
    }
    return improve(all);
}

/* Try all parts of *size* segments. */
static bool change_parts(struct shortening *all, size_t size, enum change how)
{
    bool better = false;

    for (size_t from = 0; from < all->best->segments.count && !is_over(all);) {
        size_t count = all->best->segments.count, to = from + size < count ? from + size : count;
        bool done = to - from > (how == LEAVE_OUT ? 0 : 2) && change(all, how, from, to);
        better = better || done;
        if (!done)
            from += how == LEAVE_OUT || size < 4 ? (how == LEAVE_OUT ? size : 1) : size / 2;
    }
    return better;
}

static bool move_all(struct shortening *all)
{
    bool better = false;

    for (size_t i = 0; i < all->best->segments.count && !is_over(all);) {
        bool done = move(all, i, true) || (i < all->best->segments.count && move(all, i, false));
        better = better || done;
        i += !done;
    }
    return better;
}

static void shorten(struct shortening *all)
{
    bool better = true;

    while (better && !is_over(all)) {
        better = false;
        for (size_t size = all->best->segments.count; size > 0 && !is_over(all);
             size = size > 3 ? (size + 1) / 2 : size - 1)
            for (int how = 0; how < CHANGES; how++)
                better = change_parts(all, size, (enum change)how) || better;
        better = move_all(all) || better;
    }
}

/* From schedules, and back */

static void read(struct trial *trial, const struct cs_schedule *schedule)
{
    for (size_t i = 0; i < schedule->count; i++) {
        const struct cs_scheduled *made = &schedule->made[i];
        add_segment(&trial->segments, made->thread, 1);
        for (unsigned int k = 0; k < made->chosen; k++)
            add_chosen(&trial->chosen[made->thread], made->values[k]);
    }
    trial->transitions = schedule->count;
}

/* Make the best execution once more, for which transition chose what. False where it is not the same again. */
static bool write(struct shortening *all, struct cs_schedule *schedule)
{
    const struct cs_transition *made = &all->engine->transition;
    const struct segments *segments = &all->best->segments;

    for (unsigned int i = 0; i < CS_MOST_THREADS; i++)
        all->best->chosen[i].used = 0;
    cs_state_put(all->initial);
    empty(all->made);
    all->left = ~0ULL;
    for (size_t i = 0; i < segments->count; i++)
        for (uint64_t k = 0; k < segments->at[i].count; k++) {
            bool is_last = i + 1 == segments->count && k + 1 == segments->at[i].count;
            int how = make(all, segments->at[i].thread);
            if (how != MADE && !(how == VIOLATED && is_last))
                return false;
            cs_schedule_add(schedule, &(struct cs_leg){segments->at[i].thread, 1, made->chosen, made->choices});
        }
    return true;
}

/* Whether what was found happens again. Notes whether anything in it is spurious. */
static bool is_the_same_again(struct shortening *all)
{
    all->wakes_spuriously = true;
    all->tried.count = 0;
    copy(all, 0, all->best->segments.count);
    if (!run(all) || all->made->transitions != all->best->transitions)
        return false;
    all->wakes_spuriously = all->has_spurious;
    return true;
}

void cs_shorten(struct cs_engine *engine, const struct cs_options *options, struct cs_result *result,
                uint64_t transitions, double seconds)
{
    struct shortening all = {
        .engine = engine,
        .result = result,
        .check = options->check,
        .initial = cs_allocate(cs_state_size()),
        .before = cs_allocate(cs_state_size()),
        .end = cs_now() + seconds,
        .cpu_end = clock() + SECONDS * CLOCKS_PER_SEC,
        .left = transitions,
        .best = cs_allocate(sizeof(struct trial)),
        .made = cs_allocate(sizeof(struct trial)),
    };
    struct cs_schedule schedule = {0};
    size_t before;

    cs_state_take(all.initial);
    cs_look_begin(&all.look, engine, options->check);
    read(all.best, &result->schedule);
    all.best->found = (struct cs_event){.kind = result->kind, .text = result->text, .threads = result->threads};
    before = all.best->segments.count;
    if (is_the_same_again(&all)) {
        shorten(&all);
        if ((all.best->segments.count < before || all.best->transitions < result->schedule.count)
            && write(&all, &schedule)) {
            result->schedule = schedule;
            result->text = all.best->found.text;
            result->threads = all.best->found.threads;
        }
    }
    cs_state_put(all.initial);
}
