/* The result, as JSON. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "endings/monitor.h"
#include "extent.h"
#include "result.h"

double cs_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

void *cs_allocate(size_t size)
{
    void *memory = calloc(1, size ? size : 1);
    if (!memory) {
        puts("{\"status\": \"memory\", \"text\": \"no memory left\"}");
        exit(0);
    }
    return memory;
}

void cs_schedule_append(struct cs_schedule *schedule, const struct cs_scheduled *made)
{
    if (schedule->count == schedule->room) {
        schedule->room = schedule->room * 2 + 64;
        schedule->made = realloc(schedule->made, schedule->room * sizeof *schedule->made);
        if (!schedule->made)
            abort();
    }
    schedule->made[schedule->count++] = *made;
}

void cs_schedule_add(struct cs_schedule *schedule, const struct cs_leg *leg)
{
    for (unsigned int i = 0; i < leg->transitions; i++) {
        struct cs_scheduled made = {leg->thread, i == 0 ? leg->chosen : 0, NULL};
        if (made.chosen > 0)
            made.values = cs_allocate(made.chosen * sizeof *made.values);
        for (unsigned int k = 0; k < made.chosen; k++)
            made.values[k] = leg->choices[k].value;
        cs_schedule_append(schedule, &made);
    }
}

static void print_text(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte == '"' || byte == '\\')
            printf("\\%c", byte);
        else if (byte < 32)
            printf("\\u%04x", byte);
        else
            putchar(byte);
    }
    putchar('"');
}

static void print_texts(const char *name, const struct cs_texts *texts)
{
    printf("\"%s\": [", name);
    for (unsigned int i = 0; i < texts->count; i++) {
        if (i > 0)
            printf(", ");
        print_text(texts->text[i]);
    }
    printf("], ");
}

static void print_schedule(const struct cs_schedule *schedule)
{
    printf("\"schedule\": [");
    for (size_t i = 0; i < schedule->count; i++) {
        printf("%s[%u, [", i > 0 ? ", " : "", schedule->made[i].thread);
        for (unsigned int k = 0; k < schedule->made[i].chosen; k++)
            printf("%s%lu", k > 0 ? ", " : "", schedule->made[i].values[k]);
        printf("]]");
    }
    printf("], ");
}

static void print_threads(__CSEQ_set threads)
{
    const char *between = "";

    printf("\"threads\": [");
    for (unsigned int thread = 0; thread < __CSEQ_most_threads; thread++)
        if (threads >> thread & 1) {
            printf("%s%u", between, thread);
            between = ", ";
        }
    printf("], ");
}

static void print_collected(const struct cs_collection *collection)
{
    size_t size = cs_collected_size();

    printf("\"collected\": [");
    for (size_t i = 0; i < collection->count; i++) {
        printf("%s\"", i > 0 ? ", " : "");
        for (size_t k = 0; k < size; k++)
            printf("%02x", collection->values[i * size + k]);
        putchar('"');
    }
    printf("], ");
}

static void print_heard(void)
{
    unsigned int count;
    const struct cs_returned *heard = cs_monitor_heard(&count);

    printf("\"returned\": [");
    for (unsigned int i = 0; i < count; i++)
        printf("%s[%u, %u, %lld]", i > 0 ? ", " : "", heard[i].thread, heard[i].active, heard[i].result);
    printf("], ");
}

static void print_reached(void)
{
    const char *between = "";

    printf("\"reached\": [");
    for (unsigned int i = 0; i < __CSEQ_marks; i++)
        if (__CSEQ_marked[i]) {
            printf("%s%u", between, i);
            between = ", ";
        }
    printf("], ");
}

static void print_shares(const struct cs_result *result)
{
    printf("\"searches\": [");
    for (unsigned int i = 0; i < result->share_count; i++) {
        const struct cs_share *share = &result->shares[i];
        printf("%s{\"name\": \"%s\", \"found\": %s, \"states\": %llu, \"walks\": %llu, \"transitions\": %llu, "
               "\"depth\": %llu, \"seed\": %llu}",
               i > 0 ? ", " : "", share->name, share->found ? "true" : "false", (unsigned long long)share->states,
               (unsigned long long)share->walks, (unsigned long long)share->transitions,
               (unsigned long long)share->depth, (unsigned long long)share->seed);
    }
    printf("], ");
}

/* Of this process, of those that it made and that have ended, and of others. */
static double cpu_seconds(const struct cs_result *result)
{
    struct rusage used;

    getrusage(RUSAGE_CHILDREN, &used);
    return result->cpu_seconds + (double)clock() / CLOCKS_PER_SEC
        + (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec)
        + (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
}

void cs_report(const struct cs_options *options, const struct cs_result *result)
{
    static const char *const kinds[] = {"assertion", "crash", "invariant", "deadlock", "race"};
    double seconds = result->seconds > 1e-9 ? result->seconds : 1e-9;
    double states = result->states ? (double)result->states : 1;

    printf("{\"status\": \"%s\", ", result->status);
    if (!strcmp(result->status, "violated") && !result->has_cycle)
        printf("\"kind\": \"%s\", ", kinds[result->kind]);
    if (result->text) {
        printf("\"text\": ");
        print_text(result->text);
        printf(", ");
    }
    if (result->has_schedule) {
        print_schedule(&result->schedule);
        print_threads(result->threads);
    }
    if (result->has_cycle)
        printf("\"cycle\": %zu, ", result->cycle);
    if (result->is_trapped && result->stopped != CS_NO_THREAD)
        printf("\"stopped\": %u, ", result->stopped);
    if (options->collect)
        print_collected(&result->collected);
    if (options->monitor)
        print_heard();
    if (&__CSEQ_marks)
        print_reached();
    print_texts("cuts", &result->cuts);
    print_texts("coarse", &result->coarse);
    print_texts("limits", &result->limits);
    if (result->share_count > 0)
        print_shares(result);
    printf("\"complete\": %s, ", strcmp(result->status, "safe") ? "false" : "true");
    printf("\"statistics\": {\"states\": %llu, \"matched\": %llu, \"transitions\": %llu, \"steps\": %llu, \"final\": "
           "%llu, ",
           (unsigned long long)result->states, (unsigned long long)result->matched,
           (unsigned long long)result->transitions, (unsigned long long)result->steps,
           (unsigned long long)result->final);
    printf("\"depth\": %llu, \"queue\": %llu, \"seconds\": %.3f, \"cpu_seconds\": %.3f, ",
           (unsigned long long)result->depth, (unsigned long long)result->queue, result->seconds, cpu_seconds(result));
    printf("\"jobs\": %u, ", result->jobs ? result->jobs : 1);
    printf("\"states_per_second\": %.0f, ", states / seconds);
    printf("\"memory\": %llu, \"state_bytes\": %zu, \"bytes_per_state\": %.1f", (unsigned long long)result->memory,
           cs_extent_size(), (double)result->memory / states);
    if (options->storing == CS_BITS)
        printf(", \"coverage\": %.2f", result->hash_factor);
    printf("}}\n");
}
