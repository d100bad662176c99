/* Steps of the thread library: a step is a read-modify-write of the object that it is about, whose values are the
 * numbers of its states. A state is the bytes of the object. */

#include <string.h>
#include "todo.h"

enum { MOST_ALTERNATIVES = 16 };

/* What uninitialised memory contains: no state that an object has. */
enum { GARBAGE = 0xAA };

/* The step that is being executed. alternative: the one that its text is executed with; number: how many there are.
 * mark: the newest graph that was saved before it. */
static struct {
    unsigned char *object;
    unsigned location, size, success, failure, where, load;
    unsigned alternative, most, number;
    int chooses, is_chosen, is_discarded; /* chooses: how often its text does so */
    unsigned char possible[MOST_ALTERNATIVES];
    const struct saved *mark;
} step;

static unsigned find_state(const unsigned char *whole, unsigned from, unsigned count)
{
    while (from < count && memcmp(shared->states[from], whole, MOST_BYTES) != 0)
        from++;
    return from;
}

static uint64_t number_of(const unsigned char *bytes, unsigned size)
{
    unsigned char whole[MOST_BYTES] = {0};
    memcpy(whole, bytes, size);
    unsigned number = find_state(whole, 0, __atomic_load_n(&shared->state_count, __ATOMIC_ACQUIRE));
    if (number < shared->state_count && memcmp(shared->states[number], whole, MOST_BYTES) == 0)
        return number;
    lock_shared();
    number = find_state(whole, number, shared->state_count);
    if (number == shared->state_count && number < MOST_STATES) {
        memcpy(shared->states[number], whole, MOST_BYTES);
        __atomic_store_n(&shared->state_count, number + 1, __ATOMIC_RELEASE);
    }
    unlock_shared();
    if (number == MOST_STATES)
        report("refused", "", "objects of the thread library with more than 4096 states", step.where, 0, 0);
    return number;
}

uint64_t first_state(const struct location *object)
{
    unsigned char garbage[MOST_BYTES];
    memset(garbage, GARBAGE, sizeof garbage);
    return number_of(object->unwritten ? garbage : (const unsigned char *)object->at, object->size);
}

const unsigned char *state(uint64_t number) { return shared->states[number]; }

/* Whether the last plain store to the object that comes before what the step reads is there. */
static int was_initialised(const struct event *load)
{
    for (unsigned place = place_of(load - now.events); place > 0; place--)
        if (now.events[accesses[load->object].stores[place]].order == __CSEQ_PLAIN)
            return 1;
    return 0;
}

void *__CSEQ_open(void *object, unsigned size, unsigned success, unsigned failure, unsigned where)
{
    step.where = where;
    if (size > MOST_BYTES)
        report("error", "", "an object of the thread library is too large", where, 0, 0);
    unsigned number = location(object, size, 1, where);
    const struct saved *mark = newest;
    struct event *load = known(LOAD, number);
    if (!load)
        load = add_load(loading(__CSEQ_RELAXED), number, 1, success == __CSEQ_PLAIN ? LOCKS_PLAINLY : LOCKS, where);
    memset(&step, 0, sizeof step);
    step.mark = mark;
    step.object = object;
    step.location = number;
    step.size = size;
    step.success = success;
    step.failure = failure;
    step.where = where;
    step.load = load - now.events;
    memcpy(object, state(loaded(load)), size);
    return was_initialised(load) ? object : 0;
}

/* A thread that waits because of what is not the last store any more: it does so in all graphs that are made of this
 * one, and each of the others can do in another graph what it can do there. */
void __CSEQ_block(__CSEQ_word who)
{
    struct event *load = &now.events[step.load];
    if (load->progress == PENDING && last_store(load->object) != load->from)
        abandon();
    wait_instead(step.load, step.mark);
    load->progress = WAITING;
    awaited[self] = who ? who : ANY;
    stop(AWAITS_OBJECT);
}

void __CSEQ_hang(void)
{
    if (check == DEADLOCK)
        __CSEQ_block(1ULL << self);
}

unsigned __CSEQ_alternative(unsigned most)
{
    if (step.chooses++)
        report("refused", "", "a step of the thread library with two choices", step.where, 0, 0);
    step.most = most;
    return step.alternative;
}

void __CSEQ_discard(void) { step.is_discarded = 1; }

/* Choose between the possible alternatives. */
static void choose(struct event *load)
{
    if (step.number == 0)
        stop(STOPPED);
    if (load->progress < CHOSEN) {
        load->progress = CHOSEN;
        for (load->value = step.number - 1; load->value; load->value--)
            save(now.events, now.count);
    }
    step.alternative = step.possible[load->value];
    step.is_chosen = 1;
}

int __CSEQ_again(void)
{
    struct event *load = &now.events[step.load];
    if (step.chooses && !step.is_chosen) {
        if (!step.is_discarded)
            step.possible[step.number++] = step.alternative;
        step.is_discarded = 0;
        if (++step.alternative > step.most)
            choose(load);
        step.chooses = 0;
        memcpy(step.object, state(loaded(load)), step.size);
        return 1;
    }
    uint64_t value = number_of(step.object, step.size);
    if (value == loaded(load)) {
        if (load->progress != FAILED)
            settle(load, FAILED, step.failure);
        return 0;
    }
    if (load->progress != STORED)
        settle(load, STORED, step.success);
    if (!known(STORE, step.location))
        add_store(storing(step.success), step.location, load, load->lock, value, step.where);
    return 0;
}
