/* One run, under a scheduler of ours. */

#include "result.h"

#include <string.h>

#include "frontier.h"

static const struct cs_options *options;
static struct cs_result *result;
static uint64_t seed;

static bool tell_nobody(struct cs_expander *self, const struct cs_leg *leg)
{
    (void)self;
    (void)leg;
    return true;
}

static bool end_with(const struct cs_event *event)
{
    result->status = "violated";
    result->kind = event->kind;
    result->text = event->text;
    result->threads = event->threads;
    return false;
}

static bool on_event(struct cs_expander *self, const struct cs_event *event)
{
    (void)self;
    return end_with(event);
}

static unsigned long any_of(unsigned long count) { return (unsigned long)(cs_random(&seed) % count); }

static unsigned int choose(unsigned long long enabled, unsigned int last)
{
    unsigned int thread = last;
    uint64_t skip = strcmp(options->simulate, "random") ? 0 : cs_random(&seed) % 64;

    do {
        do
            thread = (thread + 1) % __CSEQ_most_threads;
        while (!(enabled >> thread & 1));
    } while (skip-- > 0);
    return thread;
}

/* Make one transition of *thread*, with choices at random; those that block are void. False at the end of the run. */
static bool make(unsigned int thread)
{
    static char *before;
    struct cs_event event = {.legs = 0};
    struct cs_leg leg = {thread, 1, 0, cs_transition.choices};
    enum cs_outcome outcome;

    if (!before)
        before = cs_allocate(cs_state_size());
    memcpy(before, __start_cseq_state, cs_state_size());
    cs_transition.scripted = 0;
    cs_pick = any_of;
    while ((outcome = cs_make(thread)) == CS_BLOCKED)
        memcpy(__start_cseq_state, before, cs_state_size());
    cs_pick = NULL;
    leg.chosen = cs_transition.chosen;
    if (outcome == CS_DROPPED || outcome == CS_EXITED)
        return false;
    cs_schedule_add(&result->schedule, &leg);
    event.text = cs_transition.text;
    switch (outcome) {
    case CS_MADE:
        return true;
    case CS_CUT:
        cs_note(&result->cuts, cs_transition.text);
        return false;
    case CS_REFUSED:
        result->status = "refused";
        result->text = cs_transition.text;
        return false;
    default:
        event.kind = outcome == CS_CRASHED ? CS_CRASH : CS_ASSERTION;
        if (outcome == CS_CRASHED)
            event.text = cs_signal_name(cs_transition.signal);
        return end_with(&event);
    }
}

void cs_simulate(const struct cs_options *asked, struct cs_result *answer)
{
    struct cs_expander expander = {
        .check = asked->check, .look_only = true, .probe = true, .successor = tell_nobody, .event = on_event};
    unsigned int last = __CSEQ_most_threads - 1, most = asked->depth ? asked->depth : 1000000;
    double started = cs_now();

    options = asked;
    result = answer;
    seed = asked->seed;
    result->status = "unknown";
    result->has_schedule = true;
    while (result->depth < most && cs_expand(&expander)) {
        unsigned long long enabled = expander.enabled;
        if (__CSEQ_runnable)
            enabled &= __CSEQ_runnable(enabled);
        if (!enabled)
            break;
        last = choose(enabled, last);
        if (!make(last))
            break;
        result->depth++;
    }
    cs_note(&result->limits, "one run");
    result->steps = expander.transitions;
    result->transitions = result->depth;
    result->states = result->depth + 1;
    result->seconds = cs_now() - started;
}
