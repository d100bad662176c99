/* All successors of a state, one by one; with the reduction, by supersteps.
 *
 * A superstep of a thread is a sequence of its transitions such that only the last one is in conflict with anything in
 * the supersteps of the other threads (Zaks and Joshi, section 4). The superstep of a blocked thread is its next
 * transition: what lets the thread go on is in conflict with that.
 *
 * Why no bug is missed: take any way from the state to a bug. Extended if need be, it completes the superstep of some
 * thread first. Until then, the other threads have made only transitions that are not the last ones of their
 * supersteps. These are independent of everything in the completed superstep, so it can as well be made first. What is
 * left is a shorter way from a state that is searched. This needs
 * - that no property distinguishes the states in between: a transition that writes what an invariant reads is a last
 *   one;
 * - that stuck threads stay stuck, which they do;
 * - that races are looked for between all accesses of two supersteps, not only between the first ones: the way to a
 *   race consists of the parts before the two accesses, which are independent.
 *
 * A transition that ends the execution is never part of a superstep, and only its accesses count: no bug comes after
 * it. It is a failed assumption, the end of the process or, where another property is checked, a failed claim. A thread
 * that comes or goes ends the superstep, because the set of threads has changed. */

#include "expand.h"
#include "extent.h"

#include <stdlib.h>
#include <string.h>

#include "access.h"
#include "result.h"

struct cs_workspace {
    char *base;                    /* the state that is expanded */
    char *inner;                   /* one inside of a superstep, to go back to */
    char *mark;                    /* an earlier one of the superstep, to recognise circles */
    char *probed[CS_MOST_THREADS]; /* those after transitions that were made to see what they access */
    bool is_probed[CS_MOST_THREADS];
    struct cs_waits waits[CS_MOST_THREADS];
    __CSEQ_set waiting; /* threads that are blocked, or go on only spuriously, where these were probed */
    struct cs_accesses accesses;
    __CSEQ_set apart;        /* threads whose next transition touches nothing that the others may still touch */
    struct cs_future others; /* what the others may still touch, while one thread goes on alone */
    bool probes, enough, is_alone;
};

static char *room_for_state(void) { return cs_allocate(cs_state_size()); }

struct cs_workspace *cs_workspace_new(void)
{
    struct cs_workspace *work = cs_allocate(sizeof *work);

    work->base = room_for_state();
    work->inner = room_for_state();
    work->mark = room_for_state();
    return work;
}

void cs_workspace_free(struct cs_workspace *work)
{
    for (unsigned int thread = 0; thread < CS_MOST_THREADS; thread++)
        free(work->probed[thread]);
    free(work->base);
    free(work->inner);
    free(work->mark);
    cs_accesses_free(&work->accesses);
    free(work);
}

bool cs_has_scheduler(void) { return __CSEQ_runnable; }

bool cs_can_reduce(void)
{
    bool watches = __CSEQ_invariant || __CSEQ_proposition;
    return !cs_has_scheduler() && (!watches || (&__CSEQ_watched_count && __CSEQ_watched_count != ~0u));
}

static void report(struct cs_expander *expander, const struct cs_event *event)
{
    if (!expander->event(expander, event))
        expander->workspace->enough = true;
}

/* Report what is wrong with the last transition, which ends *leg*. */
static void report_outcome(struct cs_expander *expander, struct cs_leg leg)
{
    const struct cs_transition *made = &expander->engine->transition;
    struct cs_event event = {.text = made->text, .leg = {leg}, .legs = 1};

    switch (made->outcome) {
    case CS_VIOLATED:
        event.kind = CS_ASSERTION;
        break;
    case CS_CRASHED:
        event.kind = CS_CRASH;
        event.text = cs_signal_name(made->signal);
        if (expander->check == CS_CHECK_CLAIM) {
            event.kind = CS_CUT_OFF;
            event.text = "the program crashes, and what comes after that is not explored";
        }
        break;
    case CS_CUT:
        event.kind = CS_CUT_OFF;
        break;
    case CS_REFUSED:
        event.kind = CS_NOT_FOLLOWED;
        break;
    case CS_EXITED:
    case CS_DROPPED:
        event.kind = made->outcome == CS_EXITED ? CS_ENDED : CS_GIVEN_UP;
        if (expander->ends)
            report(expander, &event);
        return;
    default:
        return;
    }
    if (expander->check == CS_CHECK_ASSERTION || expander->check == CS_CHECK_CLAIM || event.kind == CS_CUT_OFF
        || event.kind == CS_NOT_FOLLOWED)
        report(expander, &event);
}

/* Remember what the last transition accesses, as far as others have to care. The end of the process touches everything.
 * Where that is its only access, the process ends whatever the others do, and no bug comes after it. */
static void remember(struct cs_expander *expander, unsigned int thread)
{
    struct cs_transition *made = &expander->engine->transition;
    struct cs_occasion when = {thread, CS_NO_BRANCH, 0, made->outcome != CS_BLOCKED};

    if (made->outcome == CS_EXITED && made->touched == 1 && (made->touches[0].kind & __CSEQ_TOUCH_EVERYTHING))
        made->touched = 0;
    cs_remember(&expander->workspace->accesses, when, made);
}

/* Make the first transitions of *thread*, for what they access, and whether it can go on at all. */
static bool probe(struct cs_expander *expander, unsigned int thread, __CSEQ_set alive)
{
    struct cs_workspace *work = expander->workspace;
    struct cs_transition *made = &expander->engine->transition;
    struct cs_waits *waits = &work->waits[thread];
    bool enabled = false, goes_on = false, is_apart = expander->is_new;
    struct cs_future others = {0, 0};
    unsigned int place = __CSEQ_place(thread);

    if (is_apart)
        others = cs_future_of_others(alive, thread);
    work->is_probed[thread] = false;
    waits->count = 0;
    made->scripted = 0;
    do {
        expander->transitions++;
        switch (cs_make(expander->engine, thread)) {
        case CS_BLOCKED:
            if (waits->count < CS_MOST_WAITS)
                waits->who[waits->count] = made->who;
            waits->count++;
            break;
        case CS_MADE:
            if (made->chosen == 0) {
                if (!work->probed[thread])
                    work->probed[thread] = room_for_state();
                cs_state_take(work->probed[thread]);
                work->is_probed[thread] = true;
            }
            enabled = true;
            break;
        default:
            enabled = true;
        }
        if (made->spurious && waits->count < CS_MOST_WAITS)
            waits->who[waits->count++] = 0;
        else if (made->outcome != CS_BLOCKED)
            goes_on = true;
        if (expander->is_new) {
            struct cs_touched touched = cs_touched(made);
            is_apart = is_apart && made->outcome == CS_MADE && !made->spurious && cs_is_apart(&touched, others)
                && !cs_writes_watched(made);
            expander->is_surprised = expander->is_surprised || !cs_was_expected(&touched, place);
        }
        remember(expander, thread);
        cs_state_put(work->base);
        if (expander->transitions % 4096 == 0 && expander->tired && expander->tired(expander))
            work->enough = true;
    } while (!work->enough && cs_next_choices(made));
    if (!goes_on)
        work->waiting |= __CSEQ_ONLY(thread);
    if (is_apart)
        work->apart |= __CSEQ_ONLY(thread);
    return enabled;
}

static __CSEQ_set probe_all(struct cs_expander *expander, __CSEQ_set alive)
{
    __CSEQ_set enabled = 0;

    cs_forget_accesses(&expander->workspace->accesses);
    expander->workspace->waiting = expander->workspace->apart = 0;
    for (unsigned int thread = 0; thread < __CSEQ_most_threads; thread++)
        if ((alive >> thread & 1) && !expander->workspace->enough && probe(expander, thread, alive))
            enabled |= __CSEQ_ONLY(thread);
    return enabled;
}

/* What is wrong with the state itself. runnable: those of the enabled threads that the scheduler lets run. */
static void judge(struct cs_expander *expander, __CSEQ_set alive, __CSEQ_set runnable)
{
    struct cs_workspace *work = expander->workspace;
    struct cs_event event = {.kind = CS_DEADLOCK};
    unsigned int one, other;

    if (expander->check == CS_CHECK_DEADLOCK) {
        event.threads = cs_stuck(alive, alive & work->waiting, work->waits);
        if (expander->enabled && !runnable)
            event.threads = alive;
        if (event.threads)
            report(expander, &event);
    } else if (expander->check == CS_CHECK_RACE && cs_first_race(&work->accesses, &one, &other)) {
        event.kind = CS_RACE;
        event.threads = __CSEQ_ONLY(one) | __CSEQ_ONLY(other);
        report(expander, &event);
    }
}

static void ask_invariant(void *text) { *(const char **)text = __CSEQ_invariant(); }

static void judge_invariant(struct cs_expander *expander)
{
    struct cs_event event = {.kind = CS_INVARIANT};

    if (cs_protected(expander->engine, ask_invariant, &event.text) != CS_MADE) {
        event.kind = CS_NOT_FOLLOWED;
        event.text = "an invariant that cannot be evaluated";
    }
    if (event.text)
        report(expander, &event);
    cs_state_put(expander->workspace->base);
}

/* Compare the last transition, which comes after *leg*, with the transitions of the other threads. */
static enum cs_agreement compare(struct cs_expander *expander, struct cs_leg leg)
{
    const struct cs_accesses *accesses = &expander->workspace->accesses;
    const struct cs_access *race = NULL;
    unsigned int racer = 0;
    enum cs_agreement agreement = cs_compare(accesses, leg.thread, &expander->engine->transition, &race, &racer);

    if (race && expander->check == CS_CHECK_RACE) {
        struct cs_event event = {.kind = CS_RACE, .threads = __CSEQ_ONLY(leg.thread) | __CSEQ_ONLY(racer)};
        if (race->before > 0)
            event.leg[event.legs++] = cs_branch_leg(accesses, racer, race->branch, race->before);
        if (leg.transitions > 0)
            event.leg[event.legs++] = leg;
        report(expander, &event);
    }
    return agreement;
}

/* How the last transition, which comes after *leg*, goes with what the others do; or, if the thread goes on alone, with
 * what they may still do. */
static enum cs_agreement agreement_of(struct cs_expander *expander, struct cs_leg leg)
{
    struct cs_workspace *work = expander->workspace;
    struct cs_touched touched;

    if (!work->is_alone)
        return compare(expander, leg);
    touched = cs_touched(&expander->engine->transition);
    return cs_is_apart(&touched, work->others) ? CS_INDEPENDENT : CS_NOT_AT_ALL;
}

/* Whether the thread goes round in a circle on its own: the state is one that it had after fewer transitions. It is
 * compared with those after 1, 2, 4, ... transitions (Brent), so every circle is noticed in its second or third round.
 */
static bool goes_round(struct cs_workspace *work, unsigned int made)
{
    if (made > 1 && cs_state_is(work->mark))
        return true;
    if ((made & (made - 1)) == 0)
        cs_state_take(work->mark);
    return false;
}

/* Make one more transition of a superstep that has *before* so far. Returns how it agrees with the others; where it
 * does not belong to the superstep, CS_NOT_AT_ALL, and the current state is what it was. */
static enum cs_agreement lengthen(struct cs_expander *expander, unsigned int thread, unsigned int branch,
                                  unsigned int before)
{
    struct cs_workspace *work = expander->workspace;
    struct cs_transition *made = &expander->engine->transition;
    enum cs_agreement agreement = CS_NOT_AT_ALL;

    cs_state_take(work->inner);
    expander->transitions++;
    made->scripted = 0;
    if (cs_make(expander->engine, thread) != CS_MADE)
        report_outcome(expander, cs_branch_leg(&work->accesses, thread, branch, before + 1));
    else if (made->chosen == 0 && !made->spurious) /* these stand at the beginning: the state before them counts */
        agreement = agreement_of(expander, cs_branch_leg(&work->accesses, thread, branch, before));
    if (agreement == CS_NOT_AT_ALL)
        cs_state_put(work->inner);
    else
        cs_remember(&work->accesses, (struct cs_occasion){thread, branch, before, true}, made);
    return agreement;
}

/* The superstep that begins with the last transition. */
static void go_on(struct cs_expander *expander, unsigned int thread, unsigned int branch, __CSEQ_set alive)
{
    struct cs_workspace *work = expander->workspace;
    struct cs_transition *transition = &expander->engine->transition;
    unsigned int made = 1;
    enum cs_agreement agreement = agreement_of(expander, (struct cs_leg){thread, 0, 0, NULL});
    struct cs_leg leg;

    cs_remember(&work->accesses, (struct cs_occasion){thread, branch, 0, true}, transition);
    while (agreement == CS_INDEPENDENT && made < expander->longest && __CSEQ_alive() == alive
           && !cs_writes_watched(transition) && !goes_round(work, made) && !work->enough) {
        agreement = lengthen(expander, thread, branch, made);
        made += agreement != CS_NOT_AT_ALL;
    }
    leg = cs_branch_leg(&work->accesses, thread, branch, made);
    /* Later transitions have overwritten the choices, from which cs_next_choices goes on. */
    if (leg.chosen > 0)
        memcpy(transition->choices, leg.choices, leg.chosen * sizeof *leg.choices);
    transition->chosen = leg.chosen;
    if (!work->enough && !expander->successor(expander, &leg))
        work->enough = true;
    if (work->is_alone && !work->enough && expander->is_new(expander))
        work->apart = 0;
}

/* All successors that *thread* makes. */
static void expand_thread(struct cs_expander *expander, unsigned int thread, __CSEQ_set alive)
{
    struct cs_workspace *work = expander->workspace;
    struct cs_engine *engine = expander->engine;
    struct cs_transition *made = &engine->transition;
    bool again = !(work->probes && work->is_probed[thread]);

    if (expander->reduce && !again)
        cs_recall(&work->accesses, thread, made);
    if (expander->reduce)
        cs_forget_thread(&work->accesses, thread);
    made->scripted = 0;
    do {
        if (!again) {
            cs_state_put(work->probed[thread]);
            made->chosen = 0;
            made->outcome = CS_MADE;
        } else {
            expander->transitions++;
            cs_make(engine, thread);
        }
        if (made->outcome != CS_MADE) {
            struct cs_leg leg = {thread, 1, made->chosen, made->choices};
            if (expander->reduce)
                remember(expander, thread);
            report_outcome(expander, leg);
        } else if (expander->reduce) {
            go_on(expander, thread, cs_new_branch(&work->accesses, made), alive);
        } else {
            struct cs_leg leg = {thread, 1, made->chosen, made->choices};
            if (!expander->successor(expander, &leg))
                work->enough = true;
        }
        cs_state_put(work->base);
    } while (!work->enough && cs_next_choices(made));
}

/* Have one thread go on alone, if that is enough (`alone.c`). The transitions of those for which it turns out not to be
 * enough are successors, too. */
static bool goes_alone(struct cs_expander *expander, __CSEQ_set alive)
{
    struct cs_workspace *work = expander->workspace;
    __CSEQ_set candidates = work->apart;

    for (unsigned int thread = 0; work->apart && !work->enough && thread < __CSEQ_most_threads; thread++)
        if (candidates >> thread & 1) {
            work->is_alone = true;
            work->others = cs_future_of_others(alive, thread);
            expand_thread(expander, thread, alive);
            work->is_alone = false;
            if (!work->apart)
                return true;
            if (probe(expander, thread, alive)) /* what it touches has been forgotten */
                work->apart = candidates;
        }
    return false;
}

bool cs_expand(struct cs_expander *expander)
{
    struct cs_workspace *work = expander->workspace;
    __CSEQ_set alive = __CSEQ_alive(), mask = alive;

    work->probes = expander->probe || expander->reduce || expander->allowed || __CSEQ_runnable
        || (expander->check != CS_CHECK_ASSERTION && expander->check != CS_CHECK_CLAIM);
    work->enough = false;
    expander->looked = work->probes;
    cs_state_take(work->base);
    if (__CSEQ_invariant && expander->check == CS_CHECK_ASSERTION)
        judge_invariant(expander);
    if (work->probes) {
        expander->enabled = mask = probe_all(expander, alive);
        if (work->enough)
            return false;
        if (__CSEQ_runnable && mask)
            mask &= __CSEQ_runnable(mask);
        judge(expander, alive, mask);
        if (expander->allowed)
            mask = expander->allowed(expander, mask);
        if (expander->look_only || goes_alone(expander, alive))
            return !work->enough;
    }
    for (unsigned int thread = 0; !expander->look_only && !work->enough && mask >> thread; thread++) {
        if (mask >> thread & 1)
            expand_thread(expander, thread, alive);
        if (thread + 1 == CS_MOST_THREADS)
            break;
    }
    return !work->enough;
}
