/* A walk is determined by the seed and its number. They differ in how a thread is chosen:
 * - any thread that can go on;
 * - the last one again, mostly: how often another one gets a chance differs from walk to walk by powers of four;
 * - by random priorities that change at a few random moments (Burckhardt, Kothari, Musuvathi and Nagarakatte, "A
 *   randomized scheduler with probabilistic guarantees of finding bugs", ASPLOS 2010). A thread that waits actively for
 *   others must not go on for ever, so after many transitions in a row it becomes the last one as well. */

#include "walks.h"

#include <stdlib.h>
#include <string.h>

#include "extent.h"
#include "frontier.h"

enum {
    NO_THREAD = ~0u,
    FIRST_LENGTH = 1 << 14,  /* how long a walk may become, in transitions; */
    MOST_LENGTH = 1 << 23,   /* grows up to this */
    MOST_CHANGES = 4,        /* of priorities */
    MOST_IN_A_ROW = 1 << 14, /* transitions of a thread with the highest priority */
    LOOKS_EVERY = 32,        /* transitions, for deadlocks */
    SPURIOUS_ONE_IN = 16,    /* a thread that can wake up spuriously does so */
};

enum way { ANY, LAST_AGAIN, PRIORITIES, WAYS };

struct cs_walks {
    struct cs_engine *engine;
    const struct cs_options *options;
    struct cs_look look;
    bool looks_always, looks_often;
    char *initial, *before, *saved;
    uint64_t count, transitions, longest, most_length, cut, usual; /* usual: length of a walk that ended by itself */

    /* This walk. */
    struct {
        bool begun;
        uint64_t number, random, made, most, usual, changes[MOST_CHANGES], in_a_row;
        enum way way;
        unsigned int last, change_count, one_in;
        long long priorities[CS_MOST_THREADS], lowest;
        __CSEQ_set blocked, who[CS_MOST_THREADS]; /* threads that were blocked, and who can help them */
    } now;
    struct cs_schedule *record; /* null: nothing is recorded */
    struct cs_event found;
};

/* Looking at a state */

static bool on_successor(struct cs_expander *self, const struct cs_leg *leg)
{
    (void)self;
    (void)leg;
    return true;
}

static bool on_event(struct cs_expander *self, const struct cs_event *event)
{
    struct cs_look *look = self->context;

    if (event->kind == CS_CUT_OFF || event->kind == CS_NOT_FOLLOWED)
        return true;
    look->found = true;
    look->event = *event;
    return false;
}

void cs_look_begin(struct cs_look *look, struct cs_engine *engine, enum cs_check check)
{
    *look = (struct cs_look){
        .expander =
            {
                .engine = engine,
                .workspace = cs_workspace_new(),
                .check = check,
                .look_only = true,
                .probe = true,
                .successor = on_successor,
                .event = on_event,
            },
    };
}

bool cs_look(struct cs_look *look)
{
    look->expander.context = look;
    look->found = false;
    cs_expand(&look->expander);
    look->enabled = look->expander.enabled;
    if (__CSEQ_runnable && look->enabled)
        look->enabled &= __CSEQ_runnable(look->enabled);
    return look->found;
}

bool cs_is_violation(enum cs_check check, const struct cs_transition *made, struct cs_event *event)
{
    bool crashed = made->outcome == CS_CRASHED;

    if (check != CS_CHECK_ASSERTION || (made->outcome != CS_VIOLATED && !crashed))
        return false;
    *event = (struct cs_event){.kind = crashed ? CS_CRASH : CS_ASSERTION,
                               .text = crashed ? cs_signal_name(made->signal) : made->text};
    return true;
}

/* One walk */

static uint64_t random_below(struct cs_walks *walks, uint64_t most) { return cs_random(&walks->now.random) % most; }

static unsigned long any_of(void *walks, unsigned long count) { return (unsigned long)random_below(walks, count); }

static void begin(struct cs_walks *walks, uint64_t number)
{
    uint64_t seed = walks->options->seed * 0x9e3779b97f4a7c15ULL + number;

    memset(&walks->now, 0, sizeof walks->now);
    walks->now.begun = true;
    walks->now.number = number;
    walks->now.random = cs_random(&seed);
    walks->now.most = walks->most_length;
    walks->now.usual = walks->usual;
    walks->now.last = NO_THREAD;
    walks->now.way = number % WAYS;
    walks->now.one_in = 4U << 2 * random_below(walks, 5);
    walks->now.change_count = (unsigned int)random_below(walks, MOST_CHANGES + 1);
    for (unsigned int i = 0; i < CS_MOST_THREADS; i++)
        walks->now.priorities[i] = (long long)(cs_random(&walks->now.random) >> 1);
    for (unsigned int i = 0; i < walks->now.change_count; i++)
        walks->now.changes[i] = random_below(walks, walks->usual ? walks->usual : 1000);
    cs_state_put(walks->initial);
}

static unsigned int any_thread(struct cs_walks *walks, __CSEQ_set ready)
{
    uint64_t skip = random_below(walks, __CSEQ_count(ready));

    for (; skip > 0; skip--)
        ready &= ready - 1;
    return __CSEQ_least(ready);
}

static unsigned int highest(const struct cs_walks *walks, __CSEQ_set ready)
{
    unsigned int best = __CSEQ_least(ready);

    for (; ready; ready &= ready - 1) {
        unsigned int thread = __CSEQ_least(ready);
        if (walks->now.priorities[thread] > walks->now.priorities[best])
            best = thread;
    }
    return best;
}

static unsigned int choose(struct cs_walks *walks, __CSEQ_set ready)
{
    unsigned int last = walks->now.last, thread;

    switch (walks->now.way) {
    case LAST_AGAIN:
        return last != NO_THREAD && (ready >> last & 1) && random_below(walks, walks->now.one_in) != 0
            ? last
            : any_thread(walks, ready);
    case PRIORITIES:
        thread = highest(walks, ready);
        for (unsigned int i = 0; i < walks->now.change_count; i++)
            if (walks->now.changes[i] == walks->now.made)
                walks->now.priorities[thread] = --walks->now.lowest;
        if (walks->now.in_a_row >= MOST_IN_A_ROW)
            walks->now.priorities[thread] = --walks->now.lowest;
        return highest(walks, ready);
    default:
        return any_thread(walks, ready);
    }
}

/* What a transition of *thread* means for those that were blocked. */
static void wake(struct cs_walks *walks, unsigned int thread)
{
    for (__CSEQ_set left = walks->now.blocked; left; left &= left - 1) {
        unsigned int other = __CSEQ_least(left);
        __CSEQ_set *who = &walks->now.who[other];
        if (*who && *who != __CSEQ_ANY_THREAD)
            *who &= ~__CSEQ_ONLY(thread);
        else
            *who = 0;
        if (!*who)
            walks->now.blocked &= ~__CSEQ_ONLY(other);
    }
}

static bool look(struct cs_walks *walks)
{
    if (!cs_look(&walks->look))
        return false;
    walks->found = walks->look.event;
    return true;
}

enum { GOES_ON, ENDED, FOUND };

/* Make a transition of *thread*, or find that it cannot make one. */
static int make(struct cs_walks *walks, unsigned int thread)
{
    struct cs_engine *engine = walks->engine;
    const struct cs_transition *made = &engine->transition;
    struct cs_leg leg = {thread, 1, 0, made->choices};
    enum cs_outcome outcome;

    cs_state_take(walks->before);
    engine->transition.scripted = 0;
    engine->listener = (struct cs_listener){.context = walks, .pick = any_of};
    outcome = cs_make(engine, thread);
    engine->listener = (struct cs_listener){0};
    leg.chosen = made->chosen;
    walks->transitions++;
    if (outcome == CS_BLOCKED || (made->spurious && random_below(walks, SPURIOUS_ONE_IN) != 0)) {
        cs_state_put(walks->before);
        walks->now.blocked |= __CSEQ_ONLY(thread);
        walks->now.who[thread] = made->chosen > 0 || outcome != CS_BLOCKED ? 0 : made->who;
        return GOES_ON;
    }
    if (cs_is_violation(walks->options->check, made, &walks->found)) {
        if (walks->record)
            cs_schedule_add(walks->record, &leg);
        return FOUND;
    }
    if (outcome != CS_MADE) {
        cs_state_put(walks->before);
        return ENDED;
    }
    if (walks->record)
        cs_schedule_add(walks->record, &leg);
    wake(walks, thread);
    walks->now.in_a_row = thread == walks->now.last ? walks->now.in_a_row + 1 : 0;
    walks->now.last = thread;
    walks->now.made++;
    return GOES_ON;
}

static int advance(struct cs_walks *walks)
{
    __CSEQ_set ready = __CSEQ_alive() & ~walks->now.blocked;

    if (walks->looks_always || !ready) {
        if (look(walks))
            return FOUND;
        ready = walks->look.enabled;
        if (!ready)
            return ENDED;
    } else if (walks->looks_often && walks->now.made % LOOKS_EVERY == 0 && look(walks)) {
        return FOUND;
    }
    return make(walks, choose(walks, ready));
}

/* The end of a walk that found nothing so far. */
static int end(struct cs_walks *walks)
{
    walks->count++;
    walks->now.begun = false;
    if (walks->now.made > walks->longest)
        walks->longest = walks->now.made;
    if (walks->now.made < walks->now.most)
        walks->usual = walks->now.made + 1;
    else if ((!walks->usual || ++walks->cut % 8 == 0) && walks->most_length < MOST_LENGTH)
        walks->most_length *= 2;
    return (walks->looks_often || walks->looks_always) && look(walks) ? FOUND : ENDED;
}

/* Make the walk again, and note what happens. */
static void report(struct cs_walks *walks, struct cs_result *result)
{
    struct cs_event found = walks->found;
    uint64_t most = walks->now.most;

    walks->record = &result->schedule;
    walks->usual = walks->now.usual;
    begin(walks, walks->now.number);
    walks->now.most = most;
    while (walks->now.made < most && advance(walks) == GOES_ON)
        ;
    result->status = "violated";
    result->kind = found.kind;
    result->text = found.text;
    result->threads = found.threads;
    result->has_schedule = true;
    result->depth = walks->now.made;
}

struct cs_walks *cs_walks_new(struct cs_engine *engine, const struct cs_options *options)
{
    struct cs_walks *walks = cs_allocate(sizeof *walks);

    walks->engine = engine;
    walks->options = options;
    cs_look_begin(&walks->look, engine, options->check);
    walks->looks_always = options->check == CS_CHECK_RACE || __CSEQ_invariant || __CSEQ_runnable;
    walks->looks_often = options->check == CS_CHECK_DEADLOCK;
    walks->most_length = FIRST_LENGTH;
    walks->initial = cs_allocate(cs_state_size());
    walks->before = cs_allocate(cs_state_size());
    walks->saved = cs_allocate(cs_state_size());
    cs_state_take(walks->initial);
    return walks;
}

bool cs_walks_go_on(struct cs_walks *walks, uint64_t transitions, struct cs_result *result)
{
    uint64_t until = walks->transitions + transitions;

    if (walks->now.begun)
        cs_state_put(walks->saved);
    while (walks->transitions < until) {
        int how;
        if (!walks->now.begun)
            begin(walks, walks->count);
        how = walks->now.made < walks->now.most ? advance(walks) : ENDED;
        if (how == ENDED) {
            how = end(walks);
            walks->transitions++; /* a program without any ends this loop as well */
        }
        if (how == FOUND) {
            report(walks, result);
            return false;
        }
    }
    cs_state_take(walks->saved);
    return true;
}

struct cs_share cs_walks_share(const struct cs_walks *walks)
{
    uint64_t now = walks->now.begun ? walks->now.made : 0;

    return (struct cs_share){
        .name = "walks",
        .walks = walks->count + walks->now.begun,
        .transitions = walks->transitions,
        .depth = now > walks->longest ? now : walks->longest,
        .seed = walks->options->seed,
    };
}
