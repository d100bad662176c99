/* One run, under a scheduler of ours. */

#include "result.h"

#include <stdlib.h>
#include <string.h>

#include "extent.h"
#include "frontier.h"

struct simulation {
    struct cs_engine *engine;
    const struct cs_options *options;
    struct cs_result *result;
    uint64_t seed;
    char *before; /* room for a state */
};

static bool on_successor(struct cs_expander *self, const struct cs_leg *leg)
{
    (void)self;
    (void)leg;
    return true;
}

static bool end_with(struct cs_result *result, const struct cs_event *event)
{
    result->status = "violated";
    result->kind = event->kind;
    result->text = event->text;
    result->threads = event->threads;
    return false;
}

static bool on_event(struct cs_expander *self, const struct cs_event *event)
{
    struct simulation *simulation = self->context;
    return end_with(simulation->result, event);
}

static unsigned long any_of(void *seed, unsigned long count) { return (unsigned long)(cs_random(seed) % count); }

static unsigned int choose(struct simulation *simulation, __CSEQ_set enabled, unsigned int last)
{
    unsigned int thread = last;
    uint64_t skip =
        strcmp(simulation->options->simulate, "random") ? 0 : cs_random(&simulation->seed) % CS_MOST_THREADS;

    do {
        do
            thread = (thread + 1) % __CSEQ_most_threads;
        while (!(enabled >> thread & 1));
    } while (skip-- > 0);
    return thread;
}

/* Have *thread* make a transition with choices at random; if they block it, other choices. */
static enum cs_outcome make_any(struct simulation *simulation, unsigned int thread)
{
    struct cs_engine *engine = simulation->engine;
    enum cs_outcome outcome;

    cs_state_take(simulation->before);
    engine->transition.scripted = 0;
    engine->listener = (struct cs_listener){.context = &simulation->seed, .pick = any_of};
    while ((outcome = cs_make(engine, thread)) == CS_BLOCKED)
        cs_state_put(simulation->before);
    engine->listener = (struct cs_listener){0};
    return outcome;
}

/* Make one transition of *thread*. False at the end of the run. */
static bool make(struct simulation *simulation, unsigned int thread)
{
    enum cs_outcome outcome = make_any(simulation, thread);
    const struct cs_transition *made = &simulation->engine->transition;
    struct cs_result *result = simulation->result;
    struct cs_event event = {.text = made->text};

    if (outcome == CS_DROPPED || outcome == CS_EXITED)
        return false;
    cs_schedule_add(&result->schedule, &(struct cs_leg){thread, 1, made->chosen, made->choices});
    switch (outcome) {
    case CS_MADE:
        return true;
    case CS_CUT:
        cs_note(&result->cuts, made->text);
        return false;
    case CS_REFUSED:
        result->status = "refused";
        result->text = made->text;
        return false;
    default:
        event.kind = outcome == CS_CRASHED ? CS_CRASH : CS_ASSERTION;
        if (outcome == CS_CRASHED)
            event.text = cs_signal_name(made->signal);
        return end_with(result, &event);
    }
}

void cs_simulate(struct cs_engine *engine, const struct cs_options *options, struct cs_result *result)
{
    struct simulation simulation = {engine, options, result, options->seed, cs_allocate(cs_state_size())};
    struct cs_expander expander = {
        .engine = engine,
        .workspace = cs_workspace_new(),
        .context = &simulation,
        .check = options->check,
        .look_only = true,
        .probe = true,
        .successor = on_successor,
        .event = on_event,
    };
    unsigned int last = __CSEQ_most_threads - 1, most = options->depth ? options->depth : 1000000;
    double started = cs_now();

    result->status = "unknown";
    result->has_schedule = true;
    while (result->depth < most && cs_expand(&expander)) {
        __CSEQ_set enabled = expander.enabled;
        if (__CSEQ_runnable)
            enabled &= __CSEQ_runnable(enabled);
        if (!enabled)
            break;
        last = choose(&simulation, enabled, last);
        if (!make(&simulation, last))
            break;
        result->depth++;
    }
    cs_note(&result->limits, "one run");
    result->steps = expander.transitions;
    result->transitions = result->depth;
    result->states = result->depth + 1;
    result->seconds = cs_now() - started;
    cs_workspace_free(expander.workspace);
    free(simulation.before);
}
