/* All successors of a state, one by one; with the reduction, by supersteps.
 *
 * A superstep of a thread is a sequence of its transitions such that only the last one is in conflict with anything in
 * the supersteps of the other threads (Zaks and Joshi, section 4). A thread that is blocked has its next transition for
 * a superstep: what lets it go on is in conflict with that. Take any way from the state to a bug. Extended if need be,
 * it completes the superstep of some thread first. Until then the others have made transitions that are not the last
 * ones of theirs, which are independent of all in it; so it can as well be made first, and what is left is a shorter
 * way from a state that is looked at. This needs
 * - that no property tells the states in between apart: what writes the memory that an invariant reads is a last one;
 * - that stuck threads stay stuck, which they do;
 * - that a race is looked for between all that two supersteps access, not only between their beginnings: the way to it
 *   are the parts in front of both accesses, which are independent.
 * A transition that ends the execution (a failed assumption, the end of the process, where others are asked for also a
 * failed claim) is none: no bug lies behind it, so it is never part of a superstep, and only its accesses count. A
 * thread that comes or goes ends the superstep, as the set of those that are looked at has changed. */

#include "expand.h"

#include <stdlib.h>
#include <string.h>

#include "access.h"

/* The state that is expanded, the one inside of a superstep to go back to, one before that, and those behind
 * transitions that were made already to find out what they access. */
static char *base, *inner, *mark, *probed[64];
static bool is_probed[64];

static struct cs_waits waits[64];
static bool probes, enough;

static void take(char *to) { memcpy(to, __start_cseq_state, cs_state_size()); }
static void put(const char *from) { memcpy(__start_cseq_state, from, cs_state_size()); }

static char *room_for_state(void)
{
    char *room = malloc(cs_state_size() + 1);
    if (!room)
        abort();
    return room;
}

bool cs_has_scheduler(void) { return __CSEQ_runnable; }

bool cs_can_reduce(void)
{
    bool watches = __CSEQ_invariant || __CSEQ_proposition;
    return !cs_has_scheduler() && (!watches || (&__CSEQ_watched_count && __CSEQ_watched_count != ~0u));
}

static void tell(struct cs_expander *expander, const struct cs_event *event)
{
    if (!expander->event(expander, event))
        enough = true;
}

/* Tell what is wrong about the transition that was just made, as the last one of *leg*. */
static void tell_outcome(struct cs_expander *expander, struct cs_leg leg)
{
    struct cs_event event = {.text = cs_transition.text, .leg = {leg}, .legs = 1};

    switch (cs_transition.outcome) {
    case CS_VIOLATED:
        event.kind = CS_ASSERTION;
        break;
    case CS_CRASHED:
        event.kind = CS_CRASH;
        event.text = cs_signal_name(cs_transition.signal);
        break;
    case CS_CUT:
        event.kind = CS_CUT_OFF;
        break;
    case CS_REFUSED:
        event.kind = CS_NOT_FOLLOWED;
        break;
    case CS_EXITED:
    case CS_DROPPED:
        event.kind = cs_transition.outcome == CS_EXITED ? CS_ENDED : CS_GIVEN_UP;
        if (expander->ends)
            tell(expander, &event);
        return;
    default:
        return;
    }
    if (expander->check == CS_CHECK_ASSERTION || event.kind == CS_CUT_OFF || event.kind == CS_NOT_FOLLOWED)
        tell(expander, &event);
}

/* What the transition that was just made accesses, as far as others have to care. The end of the process is told to
 * touch everything; where that is all that is told, the process ends whatever the others do, and no bug lies behind it.
 */
static void remember(unsigned int thread)
{
    bool ends = cs_transition.outcome == CS_EXITED && cs_transition.touched == 1
        && (cs_transition.touches[0].kind & __CSEQ_TOUCH_EVERYTHING);

    if (ends)
        cs_transition.touched = 0;
    cs_remember(thread, CS_NO_BRANCH, 0, cs_transition.outcome != CS_BLOCKED);
}

/* Make the first transitions of *thread*, for what they access, and whether it can go on at all. */
static bool probe(struct cs_expander *expander, unsigned int thread)
{
    bool enabled = false;

    is_probed[thread] = false;
    waits[thread].count = 0;
    cs_transition.scripted = 0;
    do {
        expander->transitions++;
        switch (cs_make(thread)) {
        case CS_BLOCKED:
            if (waits[thread].count < CS_MOST_WAITS)
                waits[thread].who[waits[thread].count] = cs_transition.who;
            waits[thread].count++;
            break;
        case CS_MADE:
            if (cs_transition.chosen == 0) {
                if (!probed[thread])
                    probed[thread] = room_for_state();
                take(probed[thread]);
                is_probed[thread] = true;
            }
            enabled = true;
            break;
        default:
            enabled = true;
        }
        remember(thread);
        put(base);
        if (expander->transitions % 4096 == 0 && expander->tired && expander->tired(expander))
            enough = true;
    } while (!enough && cs_next_choices());
    return enabled;
}

static unsigned long long probe_all(struct cs_expander *expander, unsigned long long alive)
{
    unsigned long long enabled = 0;

    cs_forget_accesses();
    for (unsigned int thread = 0; thread < __CSEQ_most_threads; thread++)
        if ((alive >> thread & 1) && !enough && probe(expander, thread))
            enabled |= 1ULL << thread;
    return enabled;
}

/* What is wrong with the state itself. runnable: those of the enabled threads that the scheduler lets run. */
static void judge(struct cs_expander *expander, unsigned long long alive, unsigned long long runnable)
{
    struct cs_event event = {.kind = CS_DEADLOCK};
    unsigned int one, other;

    if (expander->check == CS_CHECK_DEADLOCK) {
        event.threads = cs_stuck(alive, alive & ~expander->enabled, waits);
        if (expander->enabled && !runnable)
            event.threads = alive;
        if (event.threads)
            tell(expander, &event);
    } else if (expander->check == CS_CHECK_RACE && cs_first_race(&one, &other)) {
        event.kind = CS_RACE;
        event.threads = 1ULL << one | 1ULL << other;
        tell(expander, &event);
    }
}

static void ask_invariant(void *text) { *(const char **)text = __CSEQ_invariant(); }

static void judge_invariant(struct cs_expander *expander)
{
    struct cs_event event = {.kind = CS_INVARIANT};

    if (cs_protected(ask_invariant, &event.text) != CS_MADE) {
        event.kind = CS_NOT_FOLLOWED;
        event.text = "an invariant that cannot be evaluated";
    }
    if (event.text)
        tell(expander, &event);
    put(base);
}

/* Compare the transition that was just made, behind *before* others of its superstep, with those of the other threads.
 */
static enum cs_agreement compare(struct cs_expander *expander, struct cs_leg leg)
{
    const struct cs_access *race = NULL;
    unsigned int racer = 0;
    enum cs_agreement agreement = cs_compare(leg.thread, &race, &racer);

    if (race && expander->check == CS_CHECK_RACE) {
        struct cs_event event = {.kind = CS_RACE, .threads = 1ULL << leg.thread | 1ULL << racer};
        if (race->before > 0)
            event.leg[event.legs++] = cs_branch_leg(racer, race->branch, race->before);
        if (leg.transitions > 0)
            event.leg[event.legs++] = leg;
        tell(expander, &event);
    }
    return agreement;
}

/* Whether the thread goes round in a circle on its own: the state was the same when it had made fewer transitions.
 * Those to compare with lie at the powers of two (Brent), so that every circle is noticed in its second or third round.
 */
static bool goes_round(unsigned int made)
{
    if (made > 1 && memcmp(__start_cseq_state, mark, cs_state_size()) == 0)
        return true;
    if ((made & (made - 1)) == 0)
        take(mark);
    return false;
}

/* The superstep that begins with the transition that was just made. */
static void go_on(struct cs_expander *expander, unsigned int thread, unsigned int branch, unsigned long long alive)
{
    unsigned int made = 1;
    bool first_chose = cs_transition.chosen > 0;
    enum cs_agreement agreement = compare(expander, (struct cs_leg){thread, 0, 0, NULL});

    cs_remember(thread, branch, 0, true);
    while (agreement == CS_INDEPENDENT && made < expander->longest && __CSEQ_alive() == alive && !cs_writes_watched()
           && !goes_round(made) && !enough) {
        take(inner);
        expander->transitions++;
        cs_transition.scripted = 0;
        if (cs_make(thread) != CS_MADE) {
            tell_outcome(expander, cs_branch_leg(thread, branch, made + 1));
            put(inner);
            break;
        }
        /* A choice stands at the beginning of a superstep. */
        if (cs_transition.chosen > 0) {
            put(inner);
            break;
        }
        agreement = compare(expander, cs_branch_leg(thread, branch, made));
        if (agreement == CS_NOT_AT_ALL) {
            put(inner);
            break;
        }
        cs_remember(thread, branch, made, true);
        made++;
    }
    if (first_chose) {
        /* The choices were overwritten: have the odometer go on from them. */
        struct cs_leg leg = cs_branch_leg(thread, branch, made);
        memcpy(cs_transition.choices, leg.choices, leg.chosen * sizeof *leg.choices);
        cs_transition.chosen = leg.chosen;
    } else {
        cs_transition.chosen = 0;
    }
    struct cs_leg leg = cs_branch_leg(thread, branch, made);
    if (!enough && !expander->successor(expander, &leg))
        enough = true;
}

/* All successors that *thread* makes. */
static void expand_thread(struct cs_expander *expander, unsigned int thread, unsigned long long alive)
{
    bool again = !(probes && is_probed[thread]);

    if (expander->reduce && !again)
        cs_recall(thread);
    if (expander->reduce)
        cs_forget_thread(thread);
    cs_transition.scripted = 0;
    do {
        if (!again) {
            put(probed[thread]);
            cs_transition.chosen = 0;
            cs_transition.outcome = CS_MADE;
        } else {
            expander->transitions++;
            cs_make(thread);
        }
        if (cs_transition.outcome != CS_MADE) {
            struct cs_leg leg = {thread, 1, cs_transition.chosen, cs_transition.choices};
            if (expander->reduce)
                remember(thread);
            tell_outcome(expander, leg);
        } else if (expander->reduce) {
            go_on(expander, thread, cs_new_branch(), alive);
        } else {
            struct cs_leg leg = {thread, 1, cs_transition.chosen, cs_transition.choices};
            if (!expander->successor(expander, &leg))
                enough = true;
        }
        put(base);
    } while (!enough && cs_next_choices());
}

bool cs_expand(struct cs_expander *expander)
{
    unsigned long long alive = __CSEQ_alive(), mask = alive;

    if (!base) {
        base = room_for_state();
        inner = room_for_state();
        mark = room_for_state();
    }
    probes = expander->probe || expander->reduce || expander->allowed || __CSEQ_runnable
        || expander->check != CS_CHECK_ASSERTION;
    enough = false;
    take(base);
    if (__CSEQ_invariant && expander->check == CS_CHECK_ASSERTION)
        judge_invariant(expander);
    if (probes) {
        expander->enabled = mask = probe_all(expander, alive);
        if (enough)
            return false;
        if (__CSEQ_runnable && mask)
            mask &= __CSEQ_runnable(mask);
        judge(expander, alive, mask);
        if (expander->allowed)
            mask = expander->allowed(expander, mask);
    }
    for (unsigned int thread = 0; !expander->look_only && !enough && mask >> thread; thread++) {
        if (mask >> thread & 1)
            expand_thread(expander, thread, alive);
        if (thread == 63)
            break;
    }
    return !enough;
}
