/* The command line of the explorer, and its answer, as JSON. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "todo.h"

static void print_event(unsigned number)
{
    static const char *const kinds[] = {"initial", "load",   "store",    "fence", "create", "start", "join",
                                        "end",     "choice", "allocate", "free",  "detach", "wait"};
    const struct event *e = &now.events[number];
    printf("{\"kind\": \"%s\", \"thread\": %u, \"order\": %u, \"object\": %u, \"from\": %u, \"place\": %u, "
           "\"exclusive\": %s, \"lock\": %s, \"where\": %u, \"value\": %llu, \"at\": %lu, \"size\": %u",
           kinds[e->kind], e->thread, e->order, e->object, e->from, e->place, e->exclusive ? "true" : "false",
           e->lock ? "true" : "false", e->where, (unsigned long long)value_of(e),
           is_access(e) ? (unsigned long)shared->locations[e->object].at : 0,
           is_access(e) ? shared->locations[e->object].size : 0);
    if (e->lock) {
        printf(", \"state\": \"");
        for (unsigned i = 0; i < shared->locations[e->object].size; i++)
            printf("%02x", state(value_of(e))[i]);
        printf("\"");
    }
    printf("}");
}

static void print_numbers(const char *name, const unsigned *numbers, unsigned count)
{
    printf(", \"%s\": [", name);
    for (unsigned i = 0; i < count; i++)
        printf("%s%u", i ? ", " : "", numbers[i]);
    printf("]");
}

void report(const char *status, const char *kind, const char *text, unsigned where, const unsigned *events,
            unsigned count)
{
    lock_shared();
    if (shared->is_over)
        status = 0;
    shared->is_over = 1;
    unlock_shared();
    if (!status)
        end_process();
    printf("{\"status\": \"%s\", \"kind\": \"%s\", \"text\": \"%s\", \"where\": %u", status, kind, text, where);
    printf(", \"executions\": %llu, \"blocked\": %llu", shared->executions, shared->blocked);
    print_numbers(strcmp(status, "cut") == 0 ? "cuts" : "about", events, count);
    if (strcmp(kind, "deadlock") == 0) {
        printf(", \"who\": [");
        for (unsigned i = 0; i < count; i++)
            printf("%s%llu", i ? ", " : "", (unsigned long long)awaited[now.events[events[i]].thread]);
        printf("]");
    }
    if (strcmp(status, "violated") == 0) {
        printf(",\n\"objects\": {");
        for (const struct __CSEQ_object *o = __CSEQ_objects; o && o->name; o++)
            printf("%s\"%s\": %lu", o == __CSEQ_objects ? "" : ", ", o->name, (unsigned long)o->at);
        printf("},\n\"graph\": [\n");
        for (unsigned e = 0; e < now.count; e++) {
            print_event(e);
            printf("%s\n", e + 1 < now.count ? "," : "]");
        }
    }
    if (check == HISTORY)
        print_histories();
    printf("}\n");
    end_process();
}

/* One line for an execution: for each thread its accesses in order, a load with the store that it reads from, as the
 * thread and the number among its events, a store with its place in the modification order. */
void list(void)
{
    static struct threads threads;
    uint16_t index[MOST_EVENTS] = {0};
    index_threads(&now, &threads);
    for (unsigned thread = 0; thread < MOST_THREADS; thread++)
        for (unsigned i = 0; i < threads.length[thread]; i++)
            index[threads.of[thread][i]] = i;
    printf("execution");
    for (unsigned thread = 0; thread < MOST_THREADS && threads.length[thread]; thread++) {
        printf(" |");
        for (unsigned i = 0; i < threads.length[thread]; i++) {
            const struct event *e = &now.events[threads.of[thread][i]];
            if (e->kind == LOAD && e->from)
                printf(" r%u.%u", now.events[e->from].thread, index[e->from]);
            else if (e->kind == LOAD)
                printf(" r-");
            else if (e->kind == STORE)
                printf(" w%u=%llu", e->place, (unsigned long long)(e->lock ? state(e->value)[0] : e->value));
        }
    }
    printf("\n");
    fflush(stdout);
}

static enum model model_named(const char *name)
{
    static const char *const names[] = {"sc", "tso", "pso"};
    for (unsigned i = 0; i < 3; i++)
        if (strcmp(name, names[i]) == 0)
            return SC + i;
    return C11;
}

static unsigned number(const char *text) { return strtoul(text, 0, 10); }

static enum check check_named(const char *name)
{
    static const char *const names[] = {"assertion", "race", "deadlock", "history"};
    enum check found = ASSERTION;
    while (found < HISTORY && strcmp(name, names[found]) != 0)
        found++;
    return found;
}

static void force(const char *text)
{
    for (char *end; *text && forced_count < MOST_FORCED; text = *end ? end + 1 : end)
        forced[forced_count++] = strtoul(text, &end, 10);
}

/* Give the program the memory orders *text*, a digit for each. */
static void set_orders(const char *text)
{
    for (unsigned i = 0; text[i]; i++)
        __CSEQ_orders[i] = text[i] - '0';
}

int main(int argc, char **argv)
{
    unsigned unwind = 0;
    share();
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--model") == 0)
            model = model_named(value);
        else if (strcmp(argv[i], "--check") == 0)
            check = check_named(value);
        else if (strcmp(argv[i], "--force") == 0)
            force(value);
        else if (strcmp(argv[i], "--leaks") == 0)
            finds_leaks = number(value);
        else if (strcmp(argv[i], "--unwind") == 0)
            unwind = number(value);
        else if (strcmp(argv[i], "--cxx20") == 0)
            cxx20 = number(value);
        else if (strcmp(argv[i], "--orders") == 0)
            set_orders(value);
        else if (strcmp(argv[i], "--jobs") == 0)
            most_processes = number(value) < MOST_PROCESSES ? number(value) : MOST_PROCESSES;
        else if (strcmp(argv[i], "--alone") == 0)
            alone = number(value);
        else if (strcmp(argv[i], "--list") == 0)
            lists = number(value);
        else
            report("error", "", "an option that is not known", 0, 0, 0);
        i++;
    }
    if (check == HISTORY)
        most_processes = 1; /* histories are those of one process */
    explore(check, unwind);
}
