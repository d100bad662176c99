/* Tables of accesses: Zaks and Joshi, Verifying Multi-threaded C Programs with SPIN, section 4. */

#include "access.h"

#include <stdlib.h>
#include <string.h>

static struct table {
    struct cs_access *access;
    unsigned int count, room;
} tables[64];

/* What the first transition of each branch chose. */
static struct branch {
    unsigned int first, chosen;
} *branches;
static unsigned int branch_count, branch_room;
static struct cs_choice *choices;
static unsigned int choice_count, choice_room;

static void *more(void *array, unsigned int needed, unsigned int *room, size_t size)
{
    if (needed <= *room)
        return array;
    *room = needed * 2 + 16;
    array = realloc(array, *room * size);
    if (!array)
        abort();
    return array;
}

void cs_forget_accesses(void)
{
    for (unsigned int thread = 0; thread < __CSEQ_most_threads; thread++)
        tables[thread].count = 0;
    branch_count = choice_count = 0;
}

void cs_forget_thread(unsigned int thread) { tables[thread].count = 0; }

void cs_recall(unsigned int thread)
{
    const struct table *table = &tables[thread];

    cs_transition.touched = table->count <= CS_MOST_TOUCHES ? table->count : CS_MOST_TOUCHES;
    for (unsigned int i = 0; i < cs_transition.touched; i++)
        cs_transition.touches[i] = table->access[i].touch;
}

unsigned int cs_new_branch(void)
{
    unsigned int chosen = cs_transition.chosen;

    branches = more(branches, branch_count + 1, &branch_room, sizeof *branches);
    choices = more(choices, choice_count + chosen, &choice_room, sizeof *choices);
    branches[branch_count] = (struct branch){choice_count, chosen};
    if (chosen > 0)
        memcpy(choices + choice_count, cs_transition.choices, chosen * sizeof *choices);
    choice_count += chosen;
    return branch_count++;
}

struct cs_leg cs_branch_leg(unsigned int thread, unsigned int branch, unsigned int transitions)
{
    if (transitions == 0 || branch == CS_NO_BRANCH)
        return (struct cs_leg){thread, transitions, 0, NULL};
    return (struct cs_leg){thread, transitions, branches[branch].chosen, choices + branches[branch].first};
}

/* Whether the transition that was just made accesses what is remembered last, with other choices. */
static bool is_repeated(const struct table *table, const struct cs_touch *touches, unsigned int touched, bool possible)
{
    const struct cs_access *last;

    if (table->count < touched)
        return false;
    last = table->access + table->count - touched;
    for (unsigned int i = 0; i < touched; i++) {
        const struct cs_touch *one = &last[i].touch, *other = &touches[i];
        if (one->at != other->at || one->size != other->size || one->kind != other->kind
            || last[i].possible != possible)
            return false;
    }
    return true;
}

/* What the transition that was just made touches; one that touches nothing is still in conflict with one that touches
 * everything. */
static const struct cs_touch *touches_made(unsigned int *touched)
{
    static const struct cs_touch nothing;

    *touched = cs_transition.touched ? cs_transition.touched : 1;
    return cs_transition.touched ? cs_transition.touches : &nothing;
}

void cs_remember(unsigned int thread, unsigned int branch, unsigned int before, bool possible)
{
    struct table *table = &tables[thread];
    unsigned int touched;
    const struct cs_touch *touches = touches_made(&touched);

    if (branch == CS_NO_BRANCH && is_repeated(table, touches, touched, possible))
        return;
    for (unsigned int i = table->count; branch != CS_NO_BRANCH && i > 0 && table->access[i - 1].branch == branch; i--)
        table->access[i - 1].last = false;
    table->access = more(table->access, table->count + touched, &table->room, sizeof *table->access);
    for (unsigned int i = 0; i < touched; i++)
        table->access[table->count++] = (struct cs_access){touches[i], branch, before, true, possible};
}

static bool overlap(const volatile void *a, unsigned long a_size, const volatile void *b, unsigned long b_size)
{
    const volatile char *one = a, *other = b;
    return one < other + b_size && other < one + a_size;
}

static bool in_conflict(const struct cs_touch *a, const struct cs_touch *b)
{
    if ((a->kind | b->kind) & __CSEQ_TOUCH_EVERYTHING)
        return true;
    return ((a->kind | b->kind) & __CSEQ_TOUCH_WRITE) && overlap(a->at, a->size, b->at, b->size);
}

/* To be asked of two that are in conflict. */
static bool make_race(const struct cs_touch *a, const struct cs_touch *b)
{
    const unsigned int never = __CSEQ_TOUCH_EVERYTHING | __CSEQ_TOUCH_NO_RACE;
    return !((a->kind | b->kind) & never) && !(a->kind & b->kind & __CSEQ_TOUCH_ATOMIC);
}

enum cs_agreement cs_compare(unsigned int thread, const struct cs_access **race, unsigned int *racer)
{
    unsigned int touched;
    const struct cs_touch *touches = touches_made(&touched);
    enum cs_agreement agreement = CS_INDEPENDENT;

    for (unsigned int other = 0; other < __CSEQ_most_threads; other++) {
        const struct table *table = &tables[other];
        if (other == thread)
            continue;
        for (unsigned int i = 0; i < table->count; i++) {
            const struct cs_access *access = &table->access[i];
            for (unsigned int j = 0; j < touched; j++) {
                if (!in_conflict(&touches[j], &access->touch))
                    continue;
                if (!access->last)
                    agreement = CS_NOT_AT_ALL;
                else if (agreement == CS_INDEPENDENT)
                    agreement = CS_ONLY_LAST;
                if (access->possible && make_race(&touches[j], &access->touch)) {
                    *race = access;
                    *racer = other;
                }
            }
        }
    }
    return agreement;
}

bool cs_first_race(unsigned int *one, unsigned int *other)
{
    for (*one = 0; *one < __CSEQ_most_threads; ++*one)
        for (unsigned int i = 0; i < tables[*one].count; i++) {
            const struct cs_access *a = &tables[*one].access[i];
            for (*other = *one + 1; a->possible && *other < __CSEQ_most_threads; ++*other)
                for (unsigned int j = 0; j < tables[*other].count; j++) {
                    const struct cs_access *b = &tables[*other].access[j];
                    if (b->possible && in_conflict(&a->touch, &b->touch) && make_race(&a->touch, &b->touch))
                        return true;
                }
        }
    return false;
}

bool cs_writes_watched(void)
{
    if (!__CSEQ_invariant && !__CSEQ_proposition)
        return false;
    if (!&__CSEQ_watched_count || __CSEQ_watched_count == ~0u)
        return true;
    for (unsigned int i = 0; i < cs_transition.touched; i++) {
        const struct cs_touch *touch = &cs_transition.touches[i];
        if (touch->kind & __CSEQ_TOUCH_EVERYTHING)
            return true;
        for (unsigned int k = 0; (touch->kind & __CSEQ_TOUCH_WRITE) && k < __CSEQ_watched_count; k++)
            if (overlap(touch->at, touch->size, __CSEQ_watched[k].at, __CSEQ_watched[k].size))
                return true;
    }
    return false;
}
