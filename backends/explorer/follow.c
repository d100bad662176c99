/* Follows a schedule and prints what happens, for those who report it to the user. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "result.h"

#include "extent.h"
#include "records.h"

struct follower {
    struct cs_engine *engine;
    __CSEQ_set known;     /* threads that have been printed */
    unsigned int printed; /* accesses of this transition; for a transition of the schedule, none is to be printed */
};

static void print_touches(struct follower *follower)
{
    const struct cs_transition *made = &follower->engine->transition;

    for (; follower->printed < made->touched; follower->printed++) {
        const struct cs_touch *touch = &made->touches[follower->printed];
        if (!(touch->kind & (__CSEQ_TOUCH_EVERYTHING | __CSEQ_TOUCH_NO_RACE)))
            printf(__CSEQ_RECORD_ACCESS " %lx %lx %x\n", (unsigned long)touch->at, touch->size, touch->kind);
    }
}

static void print_statement(void *follower, unsigned int number)
{
    print_touches(follower);
    printf(__CSEQ_RECORD_AT " %x\n", number);
}

static void print_value(void *follower, unsigned int number, unsigned long long value)
{
    static const char *const states[] = {"there", "null", "freed", "ended", "outside", "unallocated", "allocated"};
    static unsigned long long state;

    print_touches(follower);
    switch (number) {
    case __CSEQ_SHOWS_ORDER:
        printf(__CSEQ_RECORD_ORDER " %s\n", (const char *)value);
        break;
    case __CSEQ_SHOWS_UNWRITTEN:
        printf(__CSEQ_RECORD_UNWRITTEN " %llx\n", value);
        break;
    case __CSEQ_SHOWS_STATE:
        state = value;
        break;
    case __CSEQ_SHOWS_WHICH:
        printf(__CSEQ_RECORD_MEMORY " %s %llx\n", states[state], value);
        break;
    case __CSEQ_SHOWS_CHANGE:
        printf(__CSEQ_RECORD_CHANGED " %llx\n", value);
        break;
    default:
        printf(__CSEQ_RECORD_VALUE " %x %llx\n", number, value);
    }
}

static void print_new_threads(struct follower *follower)
{
    __CSEQ_set alive = __CSEQ_alive();

    for (unsigned int thread = 0; thread < __CSEQ_most_threads; thread++)
        if (alive & ~follower->known & __CSEQ_ONLY(thread))
            printf(__CSEQ_RECORD_THREAD " %x %x\n", thread, __CSEQ_place(thread));
    follower->known |= alive;
}

/* False at the end of the execution. */
static bool print_outcome(struct follower *follower, unsigned int thread)
{
    const struct cs_transition *made = &follower->engine->transition;

    if (made->outcome != CS_BLOCKED && made->outcome != CS_DROPPED)
        print_new_threads(follower); /* also those created by a transition that ends the execution */
    switch (made->outcome) {
    case CS_MADE:
        return true;
    case CS_BLOCKED:
        printf(__CSEQ_RECORD_BLOCKED " %x\n", thread);
        break;
    case CS_DROPPED:
        puts(__CSEQ_RECORD_DROPPED);
        break;
    case CS_VIOLATED:
        printf(__CSEQ_RECORD_FAILED " %s\n", made->text);
        break;
    case CS_CRASHED:
        printf(__CSEQ_RECORD_CRASHED " %s\n", cs_signal_name(made->signal));
        break;
    case CS_CUT:
        printf(__CSEQ_RECORD_CUT " %s\n", made->text);
        break;
    case CS_REFUSED:
        printf(__CSEQ_RECORD_REFUSED " %s\n", made->text);
        break;
    case CS_EXITED:
        puts(__CSEQ_RECORD_ENDED);
        break;
    }
    return false;
}

char *cs_read_file(const char *name)
{
    FILE *file = fopen(name, "r");
    size_t used = 0, room = 1 << 16, read;
    char *text = cs_allocate(room + 1);

    if (!file) {
        fprintf(stderr, "cannot read %s\n", name);
        exit(2);
    }
    while ((read = fread(text + used, 1, room - used, file)) > 0) {
        used += read;
        if (used == room) {
            text = realloc(text, (room *= 2) + 1);
            if (!text)
                abort();
        }
    }
    fclose(file);
    text[used] = 0;
    return text;
}

bool cs_read_transition(const char **text, unsigned int *thread, struct cs_transition *next)
{
    const char *at = *text + strcspn(*text, "0123456789");
    char *end;

    if (!*at)
        return false;
    *thread = (unsigned int)strtoul(at, &end, 10);
    next->scripted = 0;
    end += strcspn(end, "[");
    for (at = end; *at && *at != ']'; at = end) {
        at += strcspn(at, "0123456789]");
        if (*at == ']' || !*at)
            break;
        if (next->scripted == CS_MOST_CHOICES)
            return false;
        next->choices[next->scripted++].value = strtoul(at, &end, 10);
    }
    *text = at;
    return true;
}

/* Print what each of these threads is about to do: the first transition, with each of its choices. */
static void print_standing(struct follower *follower, const char *threads)
{
    struct cs_transition *made = &follower->engine->transition;
    char *state = cs_allocate(cs_state_size()), *end;

    cs_state_take(state);
    follower->engine->stays = true;
    for (const char *at = threads; *at; at = *end ? end + 1 : end) {
        unsigned int thread = (unsigned int)strtoul(at, &end, 10);
        if (end == at)
            break;
        made->scripted = 0;
        do {
            printf(__CSEQ_RECORD_ASKED " %x\n", thread);
            if (thread < __CSEQ_most_threads && (__CSEQ_alive() >> thread & 1)) {
                follower->printed = 0;
                printf(__CSEQ_RECORD_PLACE " %x\n", __CSEQ_place(thread));
                cs_make(follower->engine, thread);
                print_touches(follower);
                if (made->outcome == CS_BLOCKED)
                    printf(__CSEQ_RECORD_BLOCKED " %x\n", thread);
            }
            cs_state_put(state);
        } while (cs_next_choices(made));
    }
    free(state);
}

static void ask_invariant(void *text) { *(const char **)text = __CSEQ_invariant(); }

static void print_invariant(struct cs_engine *engine)
{
    const char *text = NULL;

    if (__CSEQ_invariant && cs_protected(engine, ask_invariant, &text) == CS_MADE && text)
        printf(__CSEQ_RECORD_INVARIANT " %s\n", text);
}

int cs_follow(struct cs_engine *engine, const struct cs_options *options)
{
    struct follower follower = {.engine = engine};
    char *schedule = cs_read_file(options->follow);
    const char *at = schedule;
    unsigned int thread;

    engine->listener = (struct cs_listener){.context = &follower, .at = print_statement, .show = print_value};
    print_new_threads(&follower);
    while (cs_read_transition(&at, &thread, &engine->transition)) {
        if (thread >= __CSEQ_most_threads || !(__CSEQ_alive() >> thread & 1)) {
            puts(__CSEQ_RECORD_REFUSED " the schedule names a thread that does not exist");
            return 0;
        }
        printf(__CSEQ_RECORD_TURN " %x\n", thread);
        follower.printed = CS_MOST_TOUCHES;
        cs_make(engine, thread);
        if (!print_outcome(&follower, thread))
            return 0;
    }
    puts(__CSEQ_RECORD_ENDED);
    print_invariant(engine);
    if (options->stand)
        print_standing(&follower, options->stand);
    free(schedule);
    return 0;
}
