/* Tables of accesses: Zaks and Joshi, Verifying Multi-threaded C Programs with SPIN, section 4. */

#include "access.h"

#include <stdlib.h>
#include <string.h>

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

void cs_accesses_free(struct cs_accesses *accesses)
{
    for (unsigned int thread = 0; thread < __CSEQ_most_threads; thread++)
        free(accesses->tables[thread].access);
    free(accesses->branches);
    free(accesses->choices);
}

void cs_forget_accesses(struct cs_accesses *accesses)
{
    for (unsigned int thread = 0; thread < __CSEQ_most_threads; thread++)
        accesses->tables[thread].count = 0;
    accesses->branch_count = accesses->choice_count = 0;
}

void cs_forget_thread(struct cs_accesses *accesses, unsigned int thread) { accesses->tables[thread].count = 0; }

void cs_recall(const struct cs_accesses *accesses, unsigned int thread, struct cs_transition *made)
{
    const struct cs_access_table *table = &accesses->tables[thread];

    made->touched = table->count <= CS_MOST_TOUCHES ? table->count : CS_MOST_TOUCHES;
    for (unsigned int i = 0; i < made->touched; i++)
        made->touches[i] = table->access[i].touch;
}

unsigned int cs_new_branch(struct cs_accesses *all, const struct cs_transition *made)
{
    unsigned int first = all->choice_count, chosen = made->chosen;

    all->branches = more(all->branches, all->branch_count + 1, &all->branch_room, sizeof *all->branches);
    all->choices = more(all->choices, first + chosen, &all->choice_room, sizeof *all->choices);
    all->branches[all->branch_count] = (struct cs_branch){first, chosen};
    if (chosen > 0)
        memcpy(all->choices + first, made->choices, chosen * sizeof *all->choices);
    all->choice_count += chosen;
    return all->branch_count++;
}

struct cs_leg cs_branch_leg(const struct cs_accesses *accesses, unsigned int thread, unsigned int branch,
                            unsigned int transitions)
{
    const struct cs_branch *made;

    if (transitions == 0 || branch == CS_NO_BRANCH)
        return (struct cs_leg){thread, transitions, 0, NULL};
    made = &accesses->branches[branch];
    return (struct cs_leg){thread, transitions, made->chosen, accesses->choices + made->first};
}

/* Whether the transition repeats the accesses that are remembered last, with other choices. */
static bool is_repeated(const struct cs_access_table *table, const struct cs_touch *touches, unsigned int touched,
                        bool possible)
{
    const struct cs_access *last;

    if (table->count < touched)
        return false;
    last = table->access + table->count - touched;
    for (unsigned int i = 0; i < touched; i++) {
        const struct cs_touch *one = &last[i].touch, *other = &touches[i];
        if (one->at != other->at || one->size != other->size || one->kind != other->kind || one->sides != other->sides
            || last[i].possible != possible)
            return false;
    }
    return true;
}

/* What the transition touches. One that touches nothing is still in conflict with one that touches everything. */
static const struct cs_touch *touches_of(const struct cs_transition *made, unsigned int *touched)
{
    static const struct cs_touch nothing;

    *touched = made->touched ? made->touched : 1;
    return made->touched ? made->touches : &nothing;
}

void cs_remember(struct cs_accesses *accesses, struct cs_occasion when, const struct cs_transition *made)
{
    struct cs_access_table *table = &accesses->tables[when.thread];
    bool in_branch = when.branch != CS_NO_BRANCH;
    unsigned int touched;
    const struct cs_touch *touches = touches_of(made, &touched);

    if (!in_branch && is_repeated(table, touches, touched, when.possible))
        return;
    for (unsigned int i = table->count; in_branch && i > 0 && table->access[i - 1].branch == when.branch; i--)
        table->access[i - 1].last = false;
    table->access = more(table->access, table->count + touched, &table->room, sizeof *table->access);
    for (unsigned int i = 0; i < touched; i++)
        table->access[table->count++] = (struct cs_access){touches[i], when.branch, when.before, true, when.possible};
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

/* Whether one access is on one side of a race that is known already, and the other one on the other. */
static bool is_known(const struct cs_touch *a, const struct cs_touch *b)
{
    const unsigned long long first = 0x5555555555555555ULL;
    return ((a->sides & first) << 1 & b->sides) || ((b->sides & first) << 1 & a->sides);
}

/* Ask only about two that are in conflict. */
static bool make_race(const struct cs_touch *a, const struct cs_touch *b)
{
    const unsigned int never = __CSEQ_TOUCH_EVERYTHING | __CSEQ_TOUCH_NO_RACE;
    return !((a->kind | b->kind) & never) && !(a->kind & b->kind & __CSEQ_TOUCH_ATOMIC) && !is_known(a, b);
}

enum cs_agreement cs_compare(const struct cs_accesses *accesses, unsigned int thread, const struct cs_transition *made,
                             const struct cs_access **race, unsigned int *racer)
{
    unsigned int touched;
    const struct cs_touch *touches = touches_of(made, &touched);
    enum cs_agreement agreement = CS_INDEPENDENT;

    for (unsigned int other = 0; other < __CSEQ_most_threads; other++) {
        const struct cs_access_table *table = &accesses->tables[other];
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

bool cs_first_race(const struct cs_accesses *accesses, unsigned int *one, unsigned int *other)
{
    const struct cs_access_table *tables = accesses->tables;

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

bool cs_writes_watched(const struct cs_transition *made)
{
    if (!__CSEQ_invariant && !__CSEQ_proposition)
        return false;
    if (!&__CSEQ_watched_count || __CSEQ_watched_count == ~0u)
        return true;
    for (unsigned int i = 0; i < made->touched; i++) {
        const struct cs_touch *touch = &made->touches[i];
        if (touch->kind & __CSEQ_TOUCH_EVERYTHING)
            return true;
        for (unsigned int k = 0; (touch->kind & __CSEQ_TOUCH_WRITE) && k < __CSEQ_watched_count; k++)
            if (overlap(touch->at, touch->size, __CSEQ_watched[k].at, __CSEQ_watched[k].size))
                return true;
    }
    return false;
}
