/* The engine's command line. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "endings/monitor.h"
#include "extent.h"
#include "low_stack.h"
#include "result.h"

static _Noreturn void refuse_option(const char *option)
{
    fprintf(stderr, "%s: no such option, or not with this value\n", option);
    exit(2);
}

/* Which of the words it is. */
static int one_of(const char *option, const char *word, const char *const *words)
{
    for (int i = 0; word && words[i]; i++)
        if (!strcmp(word, words[i]))
            return i;
    refuse_option(option);
}

static double number(const char *option, const char *word)
{
    char *end = NULL;
    double value = word ? strtod(word, &end) : -1;

    if (!word || end == word || *end || !(value >= 0))
        refuse_option(option);
    return value;
}

static void add_stop(struct cs_options *options, const char *text)
{
    unsigned int count = 0;

    while (count < CS_MOST_STOPS && options->stops[count])
        count++;
    if (!text || count == CS_MOST_STOPS)
        refuse_option("--stop");
    options->stops[count] = text;
}

/* Numbers with commas between them. */
static void read_forced(struct cs_options *options, const char *value)
{
    while (value && options->forced < CS_MOST_FORCED) {
        char *end = NULL;
        options->force[options->forced++] = strtoul(value, &end, 10);
        if (end == value)
            break;
        if (!*end)
            return;
        value = *end == ',' ? end + 1 : NULL;
    }
    refuse_option("--force");
}

/* Make the first transitions of main, up to the one with the last of these choices. Returns false where they make
 * others. */
static bool make_forced(struct cs_engine *engine, const struct cs_options *options)
{
    struct cs_transition *next = &engine->transition;
    unsigned int made = 0;

    while (made < options->forced) {
        next->scripted = options->forced - made;
        for (unsigned int i = 0; i < next->scripted; i++)
            next->choices[i].value = options->force[made + i];
        if (cs_make(engine, 0) != CS_MADE)
            return false;
        made += next->chosen;
    }
    return made == options->forced;
}

static void read_options(struct cs_options *options, char **words)
{
    static const char *const orders[] = {"bfs", "dfs", "random", "heuristic", "icb", "auto", "beam", NULL};
    static const char *const storings[] = {"exact", "compact", "bits", NULL};
    static const char *const checks[] = {"assertion", "deadlock", "race", "claim", NULL};
    static const char *const schedulers[] = {"roundrobin", "random", NULL};

    for (; *words; words++) {
        const char *option = *words, *value = words[1];
        if (!strcmp(option, "--no-por")) {
            options->reduce = false;
            continue;
        }
        if (!strcmp(option, "--not-alone")) {
            options->alone = false;
            continue;
        }
        if (!strcmp(option, "--no-symmetry")) {
            options->symmetry = false;
            continue;
        }
        if (!strcmp(option, "--shared")) {
            options->shares = true;
            continue;
        }
        if (!strcmp(option, "--traps")) {
            options->traps = true;
            continue;
        }
        if (!strcmp(option, "--shuffle")) {
            options->shuffles = true;
            continue;
        }
        if (!strcmp(option, "--search"))
            options->order = (enum cs_order)one_of(option, value, orders);
        else if (!strcmp(option, "--store"))
            options->storing = (enum cs_storing)one_of(option, value, storings);
        else if (!strcmp(option, "--check"))
            options->check = (enum cs_check)one_of(option, value, checks);
        else if (!strcmp(option, "--simulate"))
            options->simulate = schedulers[one_of(option, value, schedulers)];
        else if (!strcmp(option, "--seed"))
            options->seed = (uint64_t)number(option, value);
        else if (!strcmp(option, "--bits"))
            options->bits = (unsigned int)number(option, value);
        else if (!strcmp(option, "--memory"))
            options->memory = (size_t)(number(option, value) * 1024 * 1024);
        else if (!strcmp(option, "--time"))
            options->seconds = number(option, value);
        else if (!strcmp(option, "--tell"))
            options->progress = number(option, value);
        else if (!strcmp(option, "--patience"))
            options->patience = number(option, value);
        else if (!strcmp(option, "--preemptions"))
            options->preemptions = (int)number(option, value);
        else if (!strcmp(option, "--depth"))
            options->depth = (unsigned int)number(option, value);
        else if (!strcmp(option, "--turn"))
            options->turn = (uint64_t)number(option, value);
        else if (!strcmp(option, "--jobs"))
            options->jobs = (unsigned int)number(option, value);
        else if (!strcmp(option, "--together"))
            options->together = (uint64_t)number(option, value);
        else if (!strcmp(option, "--width"))
            options->width = (uint64_t)number(option, value);
        else if (!strcmp(option, "--superstep"))
            options->longest = (unsigned int)number(option, value);
        else if (!strcmp(option, "--stop"))
            add_stop(options, value);
        else if (!strcmp(option, "--follow") && value)
            options->follow = value;
        else if (!strcmp(option, "--force"))
            read_forced(options, value);
        else if (!strcmp(option, "--collect") && value && cs_collected_size() > 0)
            options->collect = value;
        else if (!strcmp(option, "--monitor") && value)
            options->monitor = value;
        else if (!strcmp(option, "--guide") && value)
            options->guide = value;
        else if (!strcmp(option, "--target") && value)
            options->target = value;
        else if (!strcmp(option, "--stand") && value)
            options->stand = value;
        else if (!strcmp(option, "--lasso")) {
            options->has_lasso = true;
            options->lasso = (unsigned int)number(option, value);
        } else
            refuse_option(option);
        words++;
    }
    if (options->order == CS_ICB && options->storing != CS_EXACT)
        refuse_option("--search icb");
    if (options->bits < 6 || options->bits > 44)
        refuse_option("--bits");
    if (options->jobs < 1)
        refuse_option("--jobs");
    if ((options->collect || options->traps)
        && (options->order != CS_BFS || options->storing != CS_EXACT || options->jobs > 1 || options->preemptions >= 0))
        refuse_option(options->collect ? "--collect" : "--traps");
}

static const struct cs_options *asked;

/* Somebody would rather begin again with a larger bound than have the rest searched. */
static void stop_at(const char *text)
{
    struct cs_result result = {.status = "unknown"};

    for (unsigned int i = 0; i < CS_MOST_STOPS && asked->stops[i]; i++)
        if (!strcmp(asked->stops[i], text)) {
            cs_note(&result.cuts, text);
            cs_report(asked, &result);
            exit(0);
        }
}

/* Make the transitions of a schedule from the state *initial* on, for the calls that return. */
static void listen(struct cs_engine *engine, const struct cs_schedule *schedule, const char *initial)
{
    struct cs_transition *next = &engine->transition;

    cs_state_put(initial);
    cs_monitor_listen();
    for (size_t i = 0; i < schedule->count; i++) {
        next->scripted = schedule->made[i].chosen;
        for (unsigned int k = 0; k < next->scripted; k++)
            next->choices[k].value = schedule->made[i].values[k];
        if (cs_make(engine, schedule->made[i].thread) != CS_MADE)
            break;
    }
}

static int run(char **words)
{
    struct cs_options options = {.reduce = true,
                                 .alone = true,
                                 .symmetry = true,
                                 .preemptions = -1,
                                 .bits = 27,
                                 .width = 64,
                                 .jobs = 1,
                                 .patience = 2};
    struct cs_result result = {.status = "error"};
    struct cs_engine engine;
    char *initial = NULL;

    read_options(&options, words + 1);
    cs_begin(&engine, options.patience);
    cs_extent_begin();
    asked = &options;
    engine.on_cut = stop_at;
    engine.target = options.target;
    if (options.monitor && !cs_monitor_begin(cs_read_file(options.monitor)))
        refuse_option("--monitor");
    if (options.forced && !make_forced(&engine, &options)) {
        result.text = "the first transitions do not make the choices of --force";
        cs_report(&options, &result);
        return 0;
    }
    if (options.monitor) {
        initial = cs_allocate(cs_state_size());
        cs_state_take(initial);
    }
    if (options.follow)
        return options.has_lasso ? cs_follow_lasso(&engine, &options) : cs_follow(&engine, &options);
    if (options.guide)
        cs_guide(&engine, &options, &result);
    else if (options.simulate)
        cs_simulate(&engine, &options, &result);
    else
        cs_search(&engine, &options, &result);
    result.coarse = engine.coarse;
    if (options.monitor && result.has_schedule)
        listen(&engine, &result.schedule, initial);
    cs_report(&options, &result);
    return 0;
}

int main(int count, char **words)
{
    (void)count;
    return cs_on_low_stack(run, words);
}
