/* The histories of the executions: what calls have begun and returned, their results, and which of them happen before
 * others. Each history is kept once.
 *
 * The program writes them down in its object `cseq_report`, which has two words for each call: its number, which is
 * stored when it begins, and its result, when it returns. Nothing loads them, so they leave memory as it is. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "explore.h"

enum { MOST_CALLS = 32, BUCKETS = 1 << 12 };

struct history {
    struct history *next;
    unsigned is_stuck, begun, returned; /* sets of calls */
    uint64_t number[MOST_CALLS], result[MOST_CALLS];
    unsigned before[MOST_CALLS]; /* the calls whose return happens before the beginning of this one */
};

static struct history *buckets[BUCKETS];

/* The words of the object, and how many calls it has room for. */
static const char *report_at(unsigned *calls)
{
    for (const struct __CSEQ_object *o = __CSEQ_objects; o && o->name; o++)
        if (strcmp(o->name, "cseq_report") == 0) {
            *calls = o->size / (2 * sizeof(uint64_t));
            return o->at;
        }
    return 0;
}

static struct history read_graph(void)
{
    unsigned begins[MOST_CALLS], ends[MOST_CALLS], calls = 0;
    struct history made;
    const char *first = report_at(&calls);
    memset(&made, 0, sizeof made);
    if (!first || calls > MOST_CALLS)
        report("error", "", "the calls of the program cannot be told", 0, 0, 0);
    for (unsigned e = 1; e < now.count; e++) {
        const struct event *event = &now.events[e];
        const char *at = event->kind == STORE ? shared->locations[event->object].at : 0;
        if (!at || at < first || at >= first + calls * 2 * sizeof(uint64_t))
            continue;
        unsigned word = (at - first) / sizeof(uint64_t), call = word / 2;
        if (word % 2) {
            made.returned |= 1u << call;
            made.result[call] = event->value;
            ends[call] = e;
        } else {
            made.begun |= 1u << call;
            made.number[call] = event->value;
            begins[call] = e;
        }
    }
    for (unsigned a = 0; a < calls; a++)
        for (unsigned b = 0; b < calls; b++)
            if ((made.returned >> a & 1) && (made.begun >> b & 1) && happens_before(ends[a], begins[b]))
                made.before[b] |= 1u << a;
    return made;
}

static unsigned bucket_of(const struct history *history)
{
    const unsigned char *bytes = (const unsigned char *)history;
    unsigned hash = 2166136261u;
    for (unsigned i = sizeof history->next; i < sizeof *history; i++)
        hash = (hash ^ bytes[i]) * 16777619u;
    return hash % BUCKETS;
}

void note_history(int is_stuck)
{
    struct history made = read_graph(), *kept;
    made.is_stuck = is_stuck;
    unsigned bucket = bucket_of(&made);
    for (const struct history *known = buckets[bucket]; known; known = known->next) {
        made.next = known->next;
        if (memcmp(known, &made, sizeof made) == 0)
            return;
    }
    made.next = buckets[bucket];
    kept = malloc(sizeof made);
    if (!kept)
        report("memory", "", "", 0, 0, 0);
    *kept = made;
    buckets[bucket] = kept;
}

static void print_words(const char *name, unsigned set, const uint64_t *words)
{
    const char *separator = "";
    printf(", \"%s\": {", name);
    for (unsigned call = 0; call < MOST_CALLS; call++)
        if (set >> call & 1) {
            printf("%s\"%u\": %lld", separator, call, (long long)words[call]);
            separator = ", ";
        }
    printf("}");
}

/* A history: calls by their places in the object. */
static void print_history(const struct history *history)
{
    const char *separator = "";
    printf("{\"stuck\": %s", history->is_stuck ? "true" : "false");
    print_words("begun", history->begun, history->number);
    print_words("returned", history->returned, history->result);
    printf(", \"before\": [");
    for (unsigned b = 0; b < MOST_CALLS; b++)
        for (unsigned a = 0; a < MOST_CALLS; a++)
            if (history->before[b] >> a & 1) {
                printf("%s[%u, %u]", separator, a, b);
                separator = ", ";
            }
    printf("]}");
}

void print_histories(void)
{
    const char *separator = "";
    printf(", \"histories\": [");
    for (unsigned i = 0; i < BUCKETS; i++)
        for (const struct history *one = buckets[i]; one; one = one->next) {
            printf("%s\n", separator);
            print_history(one);
            separator = ",";
        }
    printf("]");
}
