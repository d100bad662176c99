/* Follows a schedule, and prints what happens, for whoever tells it to the user. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "result.h"

static unsigned long long known; /* threads that have been told */

static unsigned int told; /* accesses of this transition; those of one that is really made are not told */

static void tell_touches(void)
{
    for (; told < cs_transition.touched; told++) {
        const struct cs_touch *touch = &cs_transition.touches[told];
        if (!(touch->kind & (__CSEQ_TOUCH_EVERYTHING | __CSEQ_TOUCH_NO_RACE)))
            printf("p %lx %lu %u\n", (unsigned long)touch->at, touch->size, touch->kind);
    }
}

static void tell_at(unsigned int number)
{
    tell_touches();
    printf("a %u\n", number);
}

static void tell_show(unsigned int number, unsigned long long value)
{
    tell_touches();
    printf("v %u %llx\n", number, value);
}

static void tell_threads(void)
{
    unsigned long long alive = __CSEQ_alive();

    for (unsigned int thread = 0; thread < __CSEQ_most_threads; thread++)
        if (alive & ~known & 1ULL << thread)
            printf("n %u %u\n", thread, __CSEQ_place(thread));
    known |= alive;
}

/* False at the end of the execution. */
static bool tell_outcome(unsigned int thread)
{
    if (cs_transition.outcome != CS_BLOCKED && cs_transition.outcome != CS_DROPPED)
        tell_threads(); /* also those that a transition created which ends the execution */
    switch (cs_transition.outcome) {
    case CS_MADE:
        return true;
    case CS_BLOCKED:
        printf("b %u\n", thread);
        break;
    case CS_DROPPED:
        puts("x");
        break;
    case CS_VIOLATED:
        printf("f %s\n", cs_transition.text);
        break;
    case CS_CRASHED:
        printf("k %s\n", cs_signal_name(cs_transition.signal));
        break;
    case CS_CUT:
        printf("c %s\n", cs_transition.text);
        break;
    case CS_REFUSED:
        printf("r %s\n", cs_transition.text);
        break;
    case CS_EXITED:
        puts("e");
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

bool cs_read_transition(const char **text, unsigned int *thread)
{
    const char *at = *text + strcspn(*text, "0123456789");
    char *end;

    if (!*at)
        return false;
    *thread = (unsigned int)strtoul(at, &end, 10);
    cs_transition.scripted = 0;
    end += strcspn(end, "[");
    for (at = end; *at && *at != ']'; at = end) {
        at += strcspn(at, "0123456789]");
        if (*at == ']' || !*at)
            break;
        if (cs_transition.scripted == CS_MOST_CHOICES)
            return false;
        cs_transition.choices[cs_transition.scripted++].value = strtoul(at, &end, 10);
    }
    *text = at;
    return true;
}

/* Tell what each of these threads is about to do: the first transition, with each of its choices. */
static void tell_standing(const char *threads)
{
    char *state = cs_allocate(cs_state_size()), *end;

    memcpy(state, __start_cseq_state, cs_state_size());
    for (const char *at = threads; *at; at = *end ? end + 1 : end) {
        unsigned int thread = (unsigned int)strtoul(at, &end, 10);
        if (end == at)
            break;
        cs_transition.scripted = 0;
        do {
            printf("s %u\n", thread);
            if (thread < __CSEQ_most_threads && (__CSEQ_alive() >> thread & 1)) {
                told = 0;
                cs_make(thread);
                tell_touches();
                if (cs_transition.outcome == CS_BLOCKED)
                    printf("b %u\n", thread);
            }
            memcpy(__start_cseq_state, state, cs_state_size());
        } while (cs_next_choices());
    }
    free(state);
}

static void ask_invariant(void *text) { *(const char **)text = __CSEQ_invariant(); }

static void tell_invariant(void)
{
    const char *text = NULL;

    if (__CSEQ_invariant && cs_protected(ask_invariant, &text) == CS_MADE && text)
        printf("i %s\n", text);
}

int cs_follow(const struct cs_options *options)
{
    char *schedule = cs_read_file(options->follow);
    const char *at = schedule;
    unsigned int thread;

    cs_tell_at = tell_at;
    cs_tell_show = tell_show;
    tell_threads();
    while (cs_read_transition(&at, &thread)) {
        if (thread >= __CSEQ_most_threads || !(__CSEQ_alive() >> thread & 1)) {
            puts("r the schedule names a thread that does not exist");
            return 0;
        }
        printf("t %u\n", thread);
        told = CS_MOST_TOUCHES;
        cs_make(thread);
        if (!tell_outcome(thread))
            return 0;
    }
    puts("e");
    tell_invariant();
    if (options->stand)
        tell_standing(options->stand);
    free(schedule);
    return 0;
}
