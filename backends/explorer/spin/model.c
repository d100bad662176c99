/* What the model for SPIN (modules/explicit/promela.py) calls: the successors of the current state, by number.
 *
 * SPIN asks for one option after the other. It comes back to a state when it has searched what comes after an option,
 * and has made it the current one again by then. So what was found out about the last states is kept. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "low_stack.h"
#include "model.h"

struct option {
    unsigned int thread, next; /* the next one of this thread; 0 is none */
    enum cs_mode mode;
    unsigned int labels; /* that the thread stands at afterwards */
    size_t state;        /* where the state that it leads to is in the memory of the entry */
    size_t choices;      /* likewise, of the first transition */
    unsigned int chosen, transitions;
};

/* What is known about one state. */
struct entry {
    size_t size, room;
    unsigned char *memory; /* the state itself, the states that its options lead to, their choices */
    struct option *options;
    unsigned int count, most;
    unsigned int first[CS_MOST_THREADS], last[CS_MOST_THREADS], number[CS_MOST_THREADS]; /* options of each thread */
    unsigned char thread_of[CS_MOST_THREADS]; /* for each process of the model, where the order is shuffled */
    bool is_bad;
    struct cs_event bad; /* its legs are in *way* */
    struct option way[2];
};

enum { CS_END = 1 }; /* the bit of __CSEQ_labels */
enum { BUDGET = 64 * 1024 * 1024, MOST_ENTRIES = 4096, LONGEST = 100 };

struct model {
    struct cs_engine engine;
    struct cs_expander expander;
    struct entry *entries, *filled;
    size_t entry_count;
    unsigned long shuffle; /* a seed; 0 for the order of the threads */
    unsigned char *before; /* room for a state */
    struct cs_texts cuts;
    unsigned int printed_coarse;
    bool *printed_marks;
};

/* SPIN calls without an argument. Null before the first call. */
static struct model *the_model;

static void *grown(void *memory, size_t size)
{
    void *new = realloc(memory, size);
    if (new == NULL) {
        printf("pan: out of memory\n");
        fflush(stdout);
        _Exit(1);
    }
    return new;
}

static size_t stored(struct entry *entry, const void *from, size_t size)
{
    size_t at = (entry->size + 15) & ~(size_t)15;
    if (at + size > entry->room) {
        entry->room = 2 * (at + size);
        entry->memory = grown(entry->memory, entry->room);
    }
    memcpy(entry->memory + at, from, size);
    entry->size = at + size;
    return at;
}

static struct option stored_leg(struct entry *entry, const struct cs_leg *leg)
{
    size_t choices = stored(entry, leg->choices, leg->chosen * sizeof *leg->choices);
    return (struct option){
        .thread = leg->thread, .choices = choices, .chosen = leg->chosen, .transitions = leg->transitions};
}

/* from: the state that it leads to */
static void add(struct entry *entry, const struct cs_leg *leg, enum cs_mode mode, const void *from)
{
    struct option option = stored_leg(entry, leg);
    unsigned int thread = leg->thread;

    option.mode = mode;
    option.state = stored(entry, from, cs_state_size());
    option.labels = mode == CS_GOES_ON && __CSEQ_labels ? __CSEQ_labels(thread) : 0;
    if (entry->count + 1 >= entry->most) {
        entry->most = 2 * entry->most + 8;
        entry->options = grown(entry->options, entry->most * sizeof *entry->options);
    }
    entry->options[++entry->count] = option; /* number 0 is none */
    if (entry->number[thread]++ == 0)
        entry->first[thread] = entry->count;
    else
        entry->options[entry->last[thread]].next = entry->count;
    entry->last[thread] = entry->count;
}

static void print_note(const char *what, const char *text)
{
    printf("cseq %s %s\n", what, text);
    fflush(stdout); /* the processes of a search on several cores do not all end in the ordinary way */
}

static bool on_successor(struct cs_expander *self, const struct cs_leg *leg)
{
    struct model *model = self->context;

    add(model->filled, leg, CS_GOES_ON, __start_cseq_state);
    return true;
}

/* Whether each of these threads stands at a label where it may be blocked for ever. */
static bool all_at_end(__CSEQ_set threads)
{
    for (unsigned int thread = 0; thread < __CSEQ_most_threads; thread++)
        if ((threads >> thread & 1) && !(__CSEQ_labels && (__CSEQ_labels(thread) & CS_END)))
            return false;
    return true;
}

/* The execution ends with the state that it had. */
static void add_end(struct model *model, const struct cs_event *event, enum cs_mode mode)
{
    memcpy(model->before, model->filled->memory, cs_state_size());
    add(model->filled, &event->leg[0], mode, model->before);
}

static void set_bad(struct entry *entry, const struct cs_event *event)
{
    entry->is_bad = true;
    entry->bad = *event;
    for (unsigned int i = 0; i < event->legs; i++)
        entry->way[i] = stored_leg(entry, &event->leg[i]);
}

static bool on_event(struct cs_expander *self, const struct cs_event *event)
{
    struct model *model = self->context;
    unsigned int known = model->cuts.count;

    switch (event->kind) {
    case CS_CUT_OFF:
        cs_note(&model->cuts, event->text);
        if (model->cuts.count > known)
            print_note("cut", event->text);
        break;
    case CS_ENDED:
        add_end(model, event, CS_HAS_ENDED);
        return true;
    case CS_GIVEN_UP:
        break;
    case CS_DEADLOCK:
        if (all_at_end(event->threads))
            return true;
        /* fall through */
    default:
        if (cs_model_lively && event->kind != CS_NOT_FOLLOWED)
            break;
        set_bad(model->filled, event);
        return false;
    }
    if (cs_model_lively && event->legs > 0) /* no claim is about an execution that ends like this */
        add_end(model, event, CS_IS_GIVEN_UP);
    return true;
}

/* Another order of the threads in each state, as far as processes need not stay what they are. */
static void order(const struct model *model, struct entry *entry, unsigned long hash)
{
    unsigned long random = cs_model_lively ? model->shuffle : model->shuffle ^ hash;

    for (unsigned int i = 0; i < __CSEQ_most_threads; i++) {
        random = random * 6364136223846793005UL + 1442695040888963407UL;
        unsigned int at = (random >> 33) % (i + 1);
        entry->thread_of[i] = entry->thread_of[at];
        entry->thread_of[at] = i;
    }
}

/* The marks that have been reached since the last time. */
static void print_marks(struct model *model)
{
    char number[16];

    for (unsigned int i = 0; &__CSEQ_marks && i < __CSEQ_marks; i++)
        if (__CSEQ_marked[i] && !model->printed_marks[i]) {
            model->printed_marks[i] = true;
            snprintf(number, sizeof number, "%u", i);
            print_note("reached", number);
        }
}

static void fill(struct model *model, struct entry *entry)
{
    const struct cs_texts *coarse = &model->engine.coarse;

    entry->size = 0;
    entry->count = 0;
    entry->is_bad = false;
    memset(entry->number, 0, sizeof entry->number);
    stored(entry, __start_cseq_state, cs_state_size());
    model->filled = entry;
    cs_expand(&model->expander);
    for (; model->printed_coarse < coarse->count; model->printed_coarse++)
        print_note("coarse", coarse->text[model->printed_coarse]);
    print_marks(model);
    for (unsigned int thread = 0; thread < __CSEQ_most_threads; thread++) {
        if (!entry->is_bad && entry->number[thread] > cs_model_options) {
            entry->is_bad = true;
            entry->bad = (struct cs_event){.kind = CS_NOT_FOLLOWED};
            printf("cseq options %u\n", entry->number[thread]);
        }
    }
}

static struct model *begin(void)
{
    struct model *model = grown(NULL, sizeof *model);
    size_t count = MOST_ENTRIES, each = 8 * cs_state_size() + sizeof(struct entry) + 1024;
    const char *seed = getenv("CSEQ_SHUFFLE");

    while (count > 16 && count * each > BUDGET)
        count /= 2;
    memset(model, 0, sizeof *model);
    cs_begin(&model->engine, 10);
    model->expander = (struct cs_expander){
        .engine = &model->engine,
        .workspace = cs_workspace_new(),
        .context = model,
        .check = cs_model_check,
        .reduce = cs_model_reduce && cs_can_reduce(),
        .longest = LONGEST,
        .ends = cs_model_lively,
        .successor = on_successor,
        .event = on_event,
    };
    model->shuffle = seed ? strtoul(seed, NULL, 10) : 0;
    if (&__CSEQ_marks)
        model->printed_marks = memset(grown(NULL, __CSEQ_marks + 1), 0, __CSEQ_marks + 1);
    model->before = grown(NULL, cs_state_size() + 1);
    model->entry_count = count;
    model->entries = grown(NULL, count * sizeof *model->entries);
    memset(model->entries, 0, count * sizeof *model->entries);
    return model;
}

static struct model *get_model(void)
{
    if (!the_model)
        the_model = begin();
    return the_model;
}

/* What is known about the current state. */
static struct entry *here(struct model *model)
{
    size_t size = cs_state_size();
    unsigned long hash = 0, word;
    struct entry *entry;

    for (size_t at = 0; at + sizeof word <= size; at += sizeof word) {
        memcpy(&word, __start_cseq_state + at, sizeof word);
        hash = (hash ^ word) * 0x9E3779B97F4A7C15UL;
        hash ^= hash >> 32;
    }
    entry = &model->entries[hash % model->entry_count];
    if (entry->size == 0 || memcmp(entry->memory, __start_cseq_state, size) != 0) {
        fill(model, entry);
        if (model->shuffle != 0)
            order(model, entry, hash);
    }
    return entry;
}

static unsigned int thread_of(const struct model *model, const struct entry *entry, unsigned int process)
{
    return model->shuffle != 0 ? entry->thread_of[process] : process;
}

static const struct option *option_of(const struct model *model, const struct entry *entry, unsigned int process,
                                      unsigned int number)
{
    unsigned int thread = thread_of(model, entry, process);
    const struct option *option = &entry->options[entry->first[thread]];

    for (number = (number + model->shuffle) % entry->number[thread]; number > 0; number--)
        option = &entry->options[option->next];
    return option;
}

/* What is wrong with a state is reported by the option that SPIN asks for first. */
static bool reports(const struct entry *entry, unsigned int process, unsigned int option)
{
    return entry->is_bad && process + 1 == __CSEQ_most_threads && option == 0;
}

int cs_model_has(unsigned int process, unsigned int option)
{
    struct model *model = get_model();
    const struct entry *entry = here(model);

    if (entry->is_bad)
        return reports(entry, process, option);
    return option < entry->number[thread_of(model, entry, process)];
}

int cs_model_stands(unsigned int process, unsigned int option, unsigned int label)
{
    struct model *model = get_model();
    const struct entry *entry = here(model);

    return !entry->is_bad && (option_of(model, entry, process, option)->labels & label) != 0;
}

static void print_leg(const struct entry *entry, const struct option *leg)
{
    const struct cs_choice *choices = (const struct cs_choice *)(entry->memory + leg->choices);

    printf("cseq t %u %u", leg->thread, leg->transitions);
    for (unsigned int i = 0; i < leg->chosen; i++)
        printf(" %lu", choices[i].value);
    printf("\n");
}

static void print_bad(const struct entry *entry)
{
    static const char *const kinds[] = {
        [CS_ASSERTION] = "assertion", [CS_CRASH] = "crash", [CS_INVARIANT] = "invariant",
        [CS_DEADLOCK] = "deadlock",   [CS_RACE] = "race",   [CS_NOT_FOLLOWED] = "refused",
    };
    const struct cs_event *bad = &entry->bad;

    for (unsigned int i = 0; i < bad->legs; i++)
        print_leg(entry, &entry->way[i]);
    printf("cseq end %s %llx %s\n", kinds[bad->kind], bad->threads, bad->text ? bad->text : "");
}

int cs_model_takes(unsigned int process, unsigned int option, int replayed)
{
    struct model *model = get_model();
    const struct entry *entry = here(model);
    const struct option *taken;

    if (reports(entry, process, option)) {
        if (replayed)
            print_bad(entry);
        return CS_IS_BAD;
    }
    taken = option_of(model, entry, process, option);
    if (replayed)
        print_leg(entry, taken);
    memcpy(__start_cseq_state, entry->memory + taken->state, cs_state_size());
    return taken->mode;
}

struct question {
    unsigned int proposition;
    int holds;
};

static void ask_proposition(void *question)
{
    struct question *asked = question;
    asked->holds = __CSEQ_proposition(asked->proposition);
}

int cs_model_holds(unsigned int number)
{
    struct question question = {number, 0};

    if (cs_protected(&get_model()->engine, ask_proposition, &question) != CS_MADE) {
        printf("cseq proposition %u\n", number);
        exit(0);
    }
    return question.holds;
}

int cs_model_has_ended(void) { return __CSEQ_alive() == 0; }

/* The main function of SPIN's program, which is compiled under this name. */
int cs_pan_main(int count, char **words);

static int call_pan(char **words)
{
    int count = 0;

    while (words[count])
        count++;
    return cs_pan_main(count, words);
}

int main(int count, char **words)
{
    (void)count;
    return cs_on_low_stack(call_pan, words);
}
