/* Exploration of all consistent execution graphs of a program: TruSt (Kokologiannakis, Marmanis, Gladstein, Vafeiadis,
 * POPL 2022, Algorithm 1). An event is added to a graph in all consistent ways; a store also becomes what loads that
 * are there already read from. Such a revisit removes what was added since and does not cause the store, and is only
 * done where that was added in the one maximal way, so each graph is made once.
 *
 * The next event is that of the thread with the lowest number that can go on; a read-modify-write is finished first. */

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include "todo.h"

static int is_hardware(void) { return model == TSO || model == PSO; }

enum { MOST_VISITS = 10000, ROOM = 1 << 16, LEAST_ADDRESS = 4096, HINTS = 256, SEVERAL = NOWHERE - 1 };

int lists, finds_leaks;
unsigned char forced[MOST_FORCED];
unsigned forced_count;

static unsigned prepared; /* locations whose accesses are known */

/* Memory for blocks: each thread has its own, so that the same calls give the same addresses. */
static char heap[MOST_THREADS][ROOM] __attribute__((aligned(16)));
static unsigned long used[MOST_THREADS];
enum check check;
static unsigned most_iterations;

static enum status status[MOST_THREADS];
static uint16_t
    awaited_stores[MOST_THREADS];         /* of a thread that WAITS: the location that a store to may end the wait */
static unsigned awaited_at[MOST_THREADS]; /* where a thread joins another one */
uint64_t awaited[MOST_THREADS];
static int asleep_with[MOST_THREADS]; /* the mutex that a thread which sleeps has to lock then; -1: it does not sleep */
static int main_has_left;

/* The thread that is being executed: its number, how many events it had before, and how many of them it has repeated;
 * whether it loads although that does not end a wait. */
unsigned self;
static unsigned begun, cursor;
static int is_forced;
static int in_section, is_finishing; /* a read-modify-write: one is being executed; one of an earlier execution */
static unsigned success_order, failure_order;
static jmp_buf leave, give_up;

/* What the thread was like when it was at the heads of loops, and after how many of its events. */
struct visit {
    char *locals;
    unsigned loop, size, at, iteration;
    const struct saved *newest;
};
static struct visit *visits;
static unsigned visit_count, visit_room;

/* Waits on condition variables that ended without a signal: from which to which of the thread's events. And where the
 * thread was at the head of a loop, having done nothing else since it was there before. */
enum { MOST_NAPS = 256 };
static struct {
    unsigned from, to;
} naps[MOST_NAPS];
static unsigned nap_count, dozes_at;

/* Locations and values */

static int is_within(const char *at, const char *first, const char *end) { return first <= at && at < end; }

static int is_in_heap(const char *at) { return is_within(at, heap[0], heap[MOST_THREADS - 1] + ROOM); }

/* The block of the graph that has the byte *at*, or -1. */
static int block_with(const char *at)
{
    for (unsigned e = 1; e < now.count; e++) {
        unsigned number = now.events[e].object;
        const struct block *block = &shared->blocks[number % MOST_BLOCKS];
        if (now.events[e].kind == ALLOCATE && is_within(at, block->at, block->at + block->size))
            return number;
    }
    return -1;
}

static int is_location(unsigned number, const char *at, unsigned size, int is_library, int unwritten)
{
    const struct location *known = &shared->locations[number];
    return known->at == at && known->size == size && known->is_library == is_library && known->unwritten == unwritten;
}

/* The number of a location, which may be a new one; or MOST_LOCATIONS, and why that is refused. */
static unsigned find_location(const struct location *wanted, const char **refused)
{
    unsigned number = 0, count = shared->location_count, found = MOST_LOCATIONS;
    for (; number < count && found == MOST_LOCATIONS; number++) {
        const struct location *known = &shared->locations[number];
        if (is_location(number, wanted->at, wanted->size, wanted->is_library, wanted->unwritten))
            found = number;
        else if (known->at < wanted->at + wanted->size && wanted->at < known->at + known->size)
            *refused = "accesses of different sizes to the same memory";
    }
    if (found != MOST_LOCATIONS || *refused)
        return found;
    if (count == MOST_LOCATIONS)
        *refused = "memory of more than 1024 objects";
    else {
        shared->locations[count] = *wanted;
        __atomic_store_n(&shared->location_count, count + 1, __ATOMIC_RELEASE);
    }
    return count;
}

static int is_fresh(const char *at) { return is_within(at, __start___cs_fresh, __stop___cs_fresh); }

static unsigned new_location(const char *first, unsigned size, int is_library, int unwritten, unsigned where)
{
    int is_known = is_in_heap(first) || is_fresh(first) || !__CSEQ_objects;
    for (const struct __CSEQ_object *o = __CSEQ_objects; !is_known && o->name; o++)
        is_known = (const char *)o->at <= first && first + size <= (const char *)o->at + o->size;
    if ((uintptr_t)first < LEAST_ADDRESS)
        report("refused", "", "an access through a null pointer", where, 0, 0);
    if (!is_known)
        report("refused", "", "an access outside of the program's objects", where, 0, 0);
    if (size > sizeof(uint64_t) && !is_library)
        report("refused", "", "an access of more than 8 bytes", where, 0, 0);
    struct location made = {first, size, is_library, unwritten, 0};
    if (is_library)
        made.initial = first_state(&made);
    else
        memcpy(&made.initial, first, size);
    const char *refused = 0;
    lock_shared();
    unsigned number = find_location(&made, &refused);
    unlock_shared();
    if (refused)
        report("refused", "", refused, where, 0, 0);
    return number;
}

unsigned location(const void *at, unsigned size, int is_library, unsigned where)
{
    static uint16_t hints[HINTS];
    const char *first = at;
    uint16_t *hint = &hints[(uintptr_t)at / 4 % HINTS];
    if (cursor < threads.length[self]) {
        const struct event *next = &now.events[threads.of[self][cursor]];
        const struct location *of = &shared->locations[next->object];
        if (is_access(next) && is_location(next->object, first, size, is_library, of->unwritten))
            return next->object;
    }
    int unwritten = is_fresh(first);
    if (is_in_heap(first)) {
        int number = block_with(first);
        if (number < 0 || number != block_with(first + size - 1))
            report("refused", "", "an access outside of allocated memory", where, 0, 0);
        unwritten = !shared->blocks[number].is_zeroed;
    }
    if (!is_location(*hint, first, size, is_library, unwritten))
        *hint = new_location(first, size, is_library, unwritten, where);
    while (prepared <= *hint)
        accesses[prepared++].stored = 1;
    return *hint;
}

uint64_t loaded(const struct event *load)
{
    return load->from ? now.events[load->from].value : shared->locations[load->object].initial;
}

uint64_t value_of(const struct event *e) { return e->kind == LOAD ? loaded(e) : e->value; }

/* Whether an access is to the block that an event frees. */
static int is_in_block(const struct event *access, const struct event *freed)
{
    const char *at = shared->locations[access->object].at, *block = shared->blocks[freed->object].at;
    return is_access(access) && freed->kind == FREE && is_within(at, block, block + shared->blocks[freed->object].size);
}

/* Whether a and b concern the same memory, and one of them changes it. */
static int conflict(const struct event *a, const struct event *b)
{
    if (a->kind == FREE && b->kind == FREE)
        return a->object == b->object;
    if (is_in_block(a, b) || is_in_block(b, a))
        return 1;
    return is_access(a) && is_access(b) && a->object == b->object && (a->kind == STORE || b->kind == STORE);
}

/* Data races, and accesses to blocks that were freed before. */

static void find_race(unsigned e, unsigned other)
{
    const struct event *event = &now.events[e], *with = &now.events[other];
    int frees = event->kind == FREE || with->kind == FREE;
    int atomic = event->order != __CSEQ_PLAIN && with->order != __CSEQ_PLAIN;
    if (other == e || ((atomic || is_hardware()) && !frees) || !conflict(event, with))
        return;
    if (ordered(e, other)) {
        if (frees && happens_before(event->kind == FREE ? e : other, event->kind == FREE ? other : e))
            report("refused", "", "memory that is used after it was freed", event->where, 0, 0);
        return;
    }
    unsigned first = event->kind != LOAD ? e : other, events[] = {first, first == e ? other : e};
    if (check == RACE || check == HISTORY)
        report("violated", "race", "", event->where, events, 2);
    shared->is_racy = 1;
}

void find_races_of(unsigned e)
{
    const struct event *event = &now.events[e];
    if ((!is_access(event) && event->kind != FREE)
        || (event->exclusive && event->progress < FAILED && event->kind == LOAD))
        return; /* the order of a load for a read-modify-write that is not over is not known */
    if (event->kind == FREE || is_in_heap(shared->locations[event->object].at)) {
        for (unsigned other = 1; other < now.count; other++)
            find_race(e, other);
        return;
    }
    const struct accesses *all = &accesses[event->object];
    if (!all->plain)
        return;
    for (unsigned i = 1; i < all->stored; i++)
        find_race(e, all->stores[i]);
    for (unsigned i = 0; i < all->loaded; i++)
        find_race(e, all->loads[i]);
}

/* Adding events */

static unsigned strengthened(unsigned order) { return model == SC && order != __CSEQ_PLAIN ? __CSEQ_SEQ_CST : order; }

unsigned loading(unsigned order)
{
    order = order == __CSEQ_ACQ_REL || order == __CSEQ_CONSUME ? __CSEQ_ACQUIRE : order;
    return strengthened(order == __CSEQ_RELEASE ? __CSEQ_RELAXED : order);
}

unsigned storing(unsigned order)
{
    order = order == __CSEQ_ACQ_REL ? __CSEQ_RELEASE : order;
    return strengthened(order == __CSEQ_ACQUIRE || order == __CSEQ_CONSUME ? __CSEQ_RELAXED : order);
}

_Noreturn void stop(enum status why)
{
    status[self] = why;
    longjmp(leave, 1);
}

_Noreturn void abandon(void) { longjmp(give_up, 1); }

/* The next event of the thread, if the graph has it already. */
struct event *known(enum kind kind, unsigned object)
{
    if (cursor == threads.length[self])
        return 0;
    struct event *found = &now.events[threads.of[self][cursor++]];
    if (found->kind != kind || found->object != object)
        report("error", "", "a thread does not repeat what it has done", found->where, 0, 0);
    return found;
}

static struct event *added(enum kind kind, unsigned order, unsigned object, unsigned where)
{
    if (now.count == MOST_EVENTS)
        report("refused", "", "an execution of more than 2047 events", where, 0, 0);
    unsigned e = now.count++;
    threads.of[self][threads.length[self]++] = e;
    cursor++;
    if (kind == END)
        threads.ended[self] = e;
    now.events[e] = (struct event){.kind = kind, .order = order, .thread = self, .object = object, .where = where};
    position[e] = cursor - 1;
    return &now.events[e];
}

static struct event *added_and_known(enum kind kind, unsigned order, unsigned object, unsigned where)
{
    struct event *made = added(kind, order, object, where);
    extend(made - now.events);
    return made;
}

/* Waiting
 *
 * A thread waits if the last store does not end the wait: of a step of the thread library that blocks, or of a loop
 * that repeats itself. It adds nothing then, until there is another store; which event is added next is a choice that
 * only depends on the graph. If nothing else can be done, it loads. */

static _Noreturn void wait_for_store(unsigned object)
{
    awaited_stores[self] = object;
    stop(WAITS);
}

void wait_instead(unsigned load, const struct saved *mark)
{
    unsigned object = now.events[load].object;
    if (is_forced || position[load] < begun)
        return;
    forget_after(mark);
    retract(self, position[load]);
    wait_for_store(object);
}

/* The thread repeats itself, and can only go on if its last event, a load that was there before, reads from another
 * store. */
static _Noreturn void get_stuck(void)
{
    unsigned e = threads.of[self][threads.length[self] - 1];
    struct event *last = &now.events[e];
    const struct accesses *all = &accesses[last->object];
    if (last->kind != LOAD)
        stop(SPINS);
    for (unsigned i = place_of(e) + 1; i < all->stored; i++)
        if (all->stores[i] < e)
            longjmp(give_up, 1); /* no store will be given to it, so the thread never ends */
    stop(SPINS);
}

/* The thread repeats what it has done since *visit*. */
static _Noreturn void spin(const struct visit *visit)
{
    unsigned from = visit->at > begun ? visit->at : begun, object = NOWHERE;
    if (from == threads.length[self])
        get_stuck();
    for (unsigned i = from; i < threads.length[self]; i++) {
        const struct event *event = &now.events[threads.of[self][i]];
        if (event->kind == STORE && event->place + 1u != accesses[event->object].stored)
            stop(SPINS);
        if (event->kind == LOAD)
            object = object == NOWHERE || object == event->object ? event->object : SEVERAL;
    }
    if (is_forced || object == NOWHERE)
        stop(SPINS);
    forget_after(visit->newest);
    retract(self, from);
    wait_for_store(object);
}

/* Let the new load read from each store that coherence allows. The last one is always consistent. */
struct event *add_load(unsigned order, unsigned object, int is_exclusive, int lock, unsigned where)
{
    const struct accesses *all = &accesses[object];
    unsigned last = threads.of[self][threads.length[self] - 1], place = least_place(object, before[last]);
    struct event *load = added(LOAD, order, object, where);
    load->lock = lock;
    load->exclusive = is_exclusive;
    load->progress = PENDING;
    for (load->from = all->stores[place]; ++place < all->stored; load->from = all->stores[place])
        save(now.events, now.count);
    extend(load - now.events);
    find_races_of(load - now.events);
    return load;
}

/* Save a graph with its last event, a store, at each place from *first* to before *end* in the modification order, but
 * not between the parts of a read-modify-write. stores: those that the location has besides. */
static void save_places(const struct event *events, unsigned count, const uint16_t *stores, unsigned stored,
                        unsigned first, unsigned end, unsigned revisited)
{
    for (unsigned place = first; place < end; place++) {
        if (place < stored && events[stores[place]].exclusive)
            continue;
        struct saved *made = save(events, count);
        made->revisited = revisited;
        made->events[count - 1].place = place;
        for (unsigned i = place; i < stored; i++)
            made->events[stores[i]].place++;
    }
}

static int is_kept(unsigned other, unsigned e, clock cause) { return other <= e || is_caused(other, cause); }

/* Whether event *e* was added in the maximal way, if what came before it is what was added until then, and what causes
 * the last event (IsMaximallyAdded). */
static int is_maximal(unsigned e, clock cause)
{
    const struct event *event = &now.events[e];
    const struct accesses *all = &accesses[event->object];
    if (event->kind == CHOICE)
        return event->value == 0;
    if (!is_access(event))
        return 1;
    if (event->kind == LOAD && event->value != 0)
        return 0; /* another one of the choices that its step has */
    for (unsigned i = all->stored - 1; i > place_of(e); i--)
        if (is_kept(all->stores[i], e, cause))
            return 0;
    if (event->kind != STORE)
        return 1;
    for (unsigned i = 0; i < all->loaded; i++)
        if (now.events[all->loads[i]].from == e && is_kept(all->loads[i], e, cause))
            return 0;
    return 1;
}

/* Number what is left of the modification order of a location. Returns how many stores that are, the initial one too.
 */
static unsigned restrict_order(struct event *events, const uint16_t *number, unsigned object, unsigned load,
                               clock cause, uint16_t *stores)
{
    unsigned left = 1;
    for (unsigned place = 1; place < accesses[object].stored; place++) {
        unsigned e = accesses[object].stores[place];
        if (is_kept(e, load, cause)) {
            stores[left] = number[e];
            events[number[e]].place = left++;
        }
    }
    return left;
}

/* The place after the last one that happens before *e*, in the graph with these events. */
static unsigned first_place(unsigned e, unsigned object, const struct event *events, const uint16_t *number)
{
    unsigned place = least_place(object, before[predecessor(e)]);
    return place ? events[number[accesses[object].stores[place]]].place + 1 : 1;
}

/* The graph in which *load* reads from the last event, without what came after it and does not cause that, with each
 * place for the store. */
static void revisit(unsigned load)
{
    static struct graph made;
    static uint16_t number[MOST_EVENTS];
    unsigned store = now.count - 1, object = now.events[store].object, count = 0, stored, last[MOST_THREADS] = {0};
    clock cause = causes[store];
    uint16_t stores[MOST_EVENTS]; /* to its location, by their places */
    for (unsigned e = 0; e < now.count; e++)
        if (is_kept(e, load, cause)) {
            number[e] = count;
            made.events[count++] = now.events[e];
        }
    for (unsigned i = 0; i < prepared; i++)
        if (i != object)
            restrict_order(made.events, number, i, load, cause, stores);
    stored = restrict_order(made.events, number, object, load, cause, stores);
    for (unsigned e = 1; e < count; e++) {
        struct event *event = &made.events[e];
        last[event->thread] = e;
        if (event->kind == LOAD)
            event->from = number[event->from];
    }
    made.events[number[load]].from = number[store];
    /* A read-modify-write may have lost its store, or has another value to decide about. */
    for (unsigned thread = 0; thread < MOST_THREADS; thread++) {
        struct event *event = &made.events[last[thread]];
        if (event->kind == LOAD && event->exclusive && (last[thread] == number[load] || event->progress == STORED)) {
            event->progress = last[thread] == number[load] ? PENDING : CHOSEN;
            event->order = loading(__CSEQ_RELAXED);
            if (last[thread] == number[load])
                event->value = 0;
        }
    }
    unsigned first = first_place(store, object, made.events, number), end = stored + 1;
    unsigned other = first_place(load, object, made.events, number);
    first = other > first ? other : first;
    if (now.events[store].exclusive) {
        unsigned place = made.events[made.events[number[predecessor(store)]].from].place;
        end = place + 2;
        first = place + 1 < first ? end : place + 1;
    }
    save_places(made.events, count, stores, stored, first, end, number[load]);
}

/* Let each load that does not cause the last event, a store, read from it. What came after the load is removed, so all
 * of that was added in the maximal way. */
static void revisit_loads(void)
{
    unsigned store = now.count - 1;
    for (unsigned e = store - 1; e > 0; e--) {
        if (is_caused(e, causes[store]))
            continue;
        if (!is_maximal(e, causes[store]))
            break;
        if (now.events[e].kind == LOAD && now.events[e].object == now.events[store].object)
            revisit(e);
    }
}

/* Threads that wait for store *e* can go on. Returns whether one comes before this thread. */
static int wake_waiting(unsigned e)
{
    unsigned object = now.events[e].object;
    int comes_before = 0;
    for (unsigned i = 0; i < MOST_THREADS; i++)
        if (status[i] == WAITS && (awaited_stores[i] == object || awaited_stores[i] == SEVERAL)) {
            status[i] = READY;
            comes_before |= i < self;
        }
    return comes_before;
}

void add_store(unsigned order, unsigned object, struct event *load, int lock, uint64_t value, unsigned where)
{
    const struct accesses *all = &accesses[object];
    struct event *store = added(STORE, order, object, where);
    unsigned e = store - now.events, last = all->stored;
    store->lock = lock;
    store->exclusive = load != 0;
    store->value = value;
    extend(e);
    revisit_loads();
    if (load) {
        last = place_of(predecessor(e)) + 1;
        if (last < all->stored && now.events[all->stores[last]].exclusive)
            longjmp(give_up, 1);
    } else
        save_places(now.events, now.count, all->stores, all->stored, least_place(object, before[predecessor(e)]) + 1,
                    last, 0);
    place_store(e, last);
    if (last + 1 < all->stored && !is_ordered())
        longjmp(give_up, 1);
    find_races_of(e);
    if (load)
        find_races_of(load - now.events);
    if (wake_waiting(e) || (load && is_finishing))
        stop(READY);
}

static struct event *last_event(void) { return &now.events[threads.of[self][cursor - 1]]; }

/* The calls of the program */

__CSEQ_word __CSEQ_load(const void *at, unsigned size, unsigned order, unsigned where)
{
    unsigned object = location(at, size, 0, where);
    struct event *load = known(LOAD, object);
    if (!load)
        load = add_load(in_section ? loading(__CSEQ_RELAXED) : loading(order), object, in_section, 0, where);
    if (load->from == 0 && shared->locations[object].unwritten)
        report("refused", "", "memory that may not have been written is read", where, 0, 0);
    return loaded(load);
}

/* The order of the load of a read-modify-write is known when it is known whether that stores. */
void settle(struct event *load, enum progress progress, unsigned order)
{
    load->progress = progress;
    load->lock = load->lock ? (order == __CSEQ_PLAIN ? LOCKS_PLAINLY : LOCKS) : 0;
    reorder(load - now.events, loading(order));
    if (progress == FAILED) {
        if (place_of(load - now.events) + 1 < accesses[load->object].stored && !is_ordered())
            abandon();
        find_races_of(load - now.events);
        if (is_finishing)
            stop(READY);
    }
}

void __CSEQ_store(const void *at, unsigned size, unsigned order, __CSEQ_word value, unsigned where)
{
    unsigned object = location(at, size, 0, where);
    struct event *load = 0;
    if (in_section) {
        load = last_event();
        if (load->object != object)
            report("refused", "", "an atomic access to two objects", where, 0, 0);
        if (load->progress != STORED)
            settle(load, STORED, success_order);
        order = success_order;
        in_section = 2;
    }
    if (!known(STORE, object))
        add_store(storing(order), object, load, 0, value, where);
}

void __CSEQ_begin(unsigned success, unsigned failure)
{
    in_section = 1;
    success_order = success;
    failure_order = failure;
}

void __CSEQ_end(void)
{
    int stored = in_section == 2;
    in_section = 0;
    if (stored || last_event()->progress == FAILED)
        return;
    settle(last_event(), FAILED, failure_order);
}

void __CSEQ_fence(unsigned order, unsigned where)
{
    if (!known(FENCE, 0))
        added_and_known(FENCE, strengthened(order), 0, where);
}

unsigned __CSEQ_create(unsigned function, __CSEQ_word argument, unsigned where)
{
    unsigned number = 1, index = 0;
    for (unsigned i = 0; i < cursor; i++)
        index += now.events[threads.of[self][i]].kind == CREATE;
    lock_shared();
    while (number < shared->creation_count
           && (shared->creations[number].by != self || shared->creations[number].index != index))
        number++;
    if (number == shared->creation_count && number < MOST_THREADS)
        shared->creations[shared->creation_count++] = (struct creation){self, index};
    unlock_shared();
    if (number == MOST_THREADS)
        report("refused", "", "more than 15 threads besides main", where, 0, 0);
    if (!known(CREATE, number)) {
        struct event *made = added_and_known(CREATE, __CSEQ_PLAIN, number, where);
        made->value = argument;
        made->from = function;
        threads.created[number] = now.count - 1;
    }
    return number;
}

/* Whether *thread* is joined or detached, by another thread or by what this one has done so far. */
static int is_claimed(unsigned thread)
{
    for (unsigned e = 1; e < now.count; e++) {
        const struct event *event = &now.events[e];
        if (event->thread != self && (event->kind == JOIN || event->kind == DETACH) && event->object == thread)
            return 1;
    }
    for (unsigned i = 0; i < cursor; i++) {
        const struct event *event = &now.events[threads.of[self][i]];
        if ((event->kind == JOIN || event->kind == DETACH) && event->object == thread)
            return 1;
    }
    return 0;
}

void __CSEQ_detach(unsigned thread, unsigned where)
{
    if (thread >= MOST_THREADS || (thread && !threads.created[thread]))
        report("refused", "", "detaching what is no thread", where, 0, 0);
    if (is_claimed(thread))
        report("refused", "", "a thread that is joined or detached twice", where, 0, 0);
    if (!known(DETACH, thread))
        added_and_known(DETACH, __CSEQ_PLAIN, thread, where);
}

int __CSEQ_join(unsigned thread, __CSEQ_word *result, unsigned where)
{
    if (thread >= MOST_THREADS || (thread && !threads.created[thread]))
        report("refused", "", "joining what is no thread", where, 0, 0);
    if (is_claimed(thread))
        report("refused", "", "a thread that is joined or detached twice", where, 0, 0);
    if (thread == self && check != DEADLOCK)
        return __CSEQ_JOINS_ITSELF;
    if (thread == self || !known(JOIN, thread)) {
        if (thread == self || !threads.ended[thread]) {
            awaited[self] = 1ULL << thread;
            awaited_at[self] = where;
            stop(AWAITS_THREAD);
        }
        added_and_known(JOIN, __CSEQ_PLAIN, thread, where);
    }
    *result = now.events[threads.ended[thread]].value;
    return 0;
}

unsigned __CSEQ_self(void) { return self; }

unsigned __CSEQ_choice(unsigned count, unsigned where)
{
    struct event *made = known(CHOICE, 0);
    unsigned chosen = 0;
    for (unsigned i = 0; !made && self == 0 && i < cursor; i++)
        chosen += now.events[threads.of[0][i]].kind == CHOICE;
    if (!made && self == 0 && chosen < forced_count)
        added_and_known(CHOICE, __CSEQ_PLAIN, 0, where)->value = forced[chosen];
    else if (!made) {
        made = added_and_known(CHOICE, __CSEQ_PLAIN, 0, where);
        for (made->value = count - 1; made->value; made->value--)
            save(now.events, now.count);
    }
    return now.events[threads.of[self][cursor - 1]].value;
}

/* Blocks have addresses of their own. So no block may have been freed that this one could be in the place of: where the
 * program compares addresses, an allocation has to happen before all that is freed. */
static void find_reuse(void)
{
    for (unsigned e = 1; e < now.count; e++)
        for (unsigned freed = 1; now.events[e].kind == ALLOCATE && now.events[e].value && freed < now.count; freed++)
            if (now.events[freed].kind == FREE && !happens_before(e, freed))
                report("refused", "", "memory that may be that of a freed block", now.events[e].where, 0, 0);
}

void *__CSEQ_allocate(unsigned long size, int is_zeroed, int may_reuse, unsigned where)
{
    unsigned number = 0;
    const char *at = heap[self] + used[self];
    if (size > ROOM - used[self])
        report("refused", "", "a thread with more than 64 KB or 64 blocks of memory", where, 0, 0);
    used[self] += (size + 31) / 16 * 16; /* also between blocks, and for those without a byte */
    lock_shared();
    for (; number < shared->block_count; number++) {
        const struct block *block = &shared->blocks[number];
        if (block->at == at && block->size == size && block->is_zeroed == is_zeroed)
            break;
    }
    if (number == shared->block_count && number < MOST_BLOCKS)
        shared->blocks[shared->block_count++] = (struct block){at, size, is_zeroed};
    unlock_shared();
    if (number == MOST_BLOCKS || used[self] > ROOM)
        report("refused", "", "a thread with more than 64 KB or 64 blocks of memory", where, 0, 0);
    if (!known(ALLOCATE, number)) {
        added_and_known(ALLOCATE, __CSEQ_PLAIN, number, where)->value = may_reuse;
        find_reuse();
    }
    return (void *)at;
}

void __CSEQ_free(const void *block, unsigned where)
{
    if (!block)
        return;
    int number = block_with(block);
    if (number < 0 || shared->blocks[number].at != block)
        report("refused", "", "freeing what is no block", where, 0, 0);
    if (known(FREE, number))
        return;
    added_and_known(FREE, __CSEQ_PLAIN, number, where);
    find_reuse();
    find_races_of(now.count - 1);
}

/* Whether a store, and the one before it in the modification order, are both plain, by one thread, and of one value.
 * Then what reads from it can read from the other one as well. */
static int is_repeated(const struct event *store)
{
    unsigned e = accesses[store->object].stores[store->place - 1];
    const struct event *before = &now.events[e];
    return e && before->thread == store->thread && before->order == __CSEQ_PLAIN && store->order == __CSEQ_PLAIN
        && before->value == store->value;
}

/* Whether the events of the thread from *first* on, before *end*, leave memory as it was: choices, loads, fences,
 * read-modify-writes that store what they have loaded, and plain stores of what the thread has stored before. Without
 * them the graph is consistent and has fewer constraints, so nothing is lost if the thread does not repeat them. */
static int has_no_effect(unsigned first, unsigned end, int counts_naps)
{
    for (unsigned i = first; i < end; i++) {
        for (unsigned nap = 0; nap < nap_count && !counts_naps; nap++)
            if (naps[nap].from == i)
                i = naps[nap].to;
        if (i >= end)
            break;
        const struct event *event = &now.events[threads.of[self][i]];
        if (event->kind == STORE && event->exclusive
                ? event->lock || event->value != loaded(&now.events[threads.of[self][i - 1]])
                : event->kind == STORE && !is_repeated(event))
            return 0;
        if (event->kind != STORE && event->kind != LOAD && event->kind != FENCE && event->kind != CHOICE)
            return 0;
    }
    return 1;
}

void __CSEQ_loop(unsigned number, const void *locals, unsigned size, unsigned where)
{
    unsigned iterations = 1, is_counted = 0, first = cursor;
    int is_idle = 1;
    for (unsigned i = visit_count; i-- > 0 && (is_idle || !is_counted || nap_count);) {
        const struct visit *before = &visits[i];
        is_idle = is_idle && has_no_effect(before->at, first, 1);
        first = before->at;
        if (before->loop != number)
            continue;
        int is_same = memcmp(before->locals, locals, size) == 0;
        if (is_idle && is_same)
            spin(before);
        if (nap_count && is_same && has_no_effect(before->at, cursor, 0))
            dozes_at = cursor;
        if (!is_counted)
            iterations = before->iteration + 1;
        is_counted = 1;
    }
    if (most_iterations && iterations > most_iterations + 1)
        __CSEQ_cut(where);
    if (visit_count == MOST_VISITS)
        report("refused", "", "a loop of more than 10000 iterations", where, 0, 0);
    if (visit_count == visit_room) {
        visits = realloc(visits, (visit_room + 64) * sizeof *visits);
        memset(visits + visit_room, 0, 64 * sizeof *visits);
        visit_room += 64;
    }
    struct visit *made = &visits[visit_count++];
    if (made->size < size)
        made->locals = realloc(made->locals, made->size = size);
    memcpy(made->locals, locals, size);
    made->loop = number;
    made->at = cursor;
    made->newest = newest;
    made->iteration = iterations;
}

void __CSEQ_sleeps(void)
{
    if (nap_count == MOST_NAPS)
        report("refused", "", "a thread that waits more than 256 times", 0, 0, 0);
    naps[nap_count].from = cursor;
}

void __CSEQ_dozes(void)
{
    if (dozes_at && has_no_effect(dozes_at, cursor, 1))
        stop(SPINS);
}

void __CSEQ_asleep(const void *mutex, unsigned size, unsigned where)
{
    asleep_with[self] = mutex ? (int)location(mutex, size, 1, where) : -1;
}

void __CSEQ_wakes(int has_signal)
{
    if (!has_signal)
        naps[nap_count++].to = cursor;
}

void __CSEQ_note(unsigned where)
{
    unsigned i = 0;
    lock_shared();
    while (i < shared->cuts && shared->cut_at[i] != where)
        i++;
    if (i == shared->cuts && i < MOST_CUTS)
        shared->cut_at[shared->cuts++] = where;
    unlock_shared();
}

void __CSEQ_cut(unsigned where)
{
    __CSEQ_note(where);
    stop(STOPPED);
}

void __CSEQ_violate(unsigned where)
{
    if (check == ASSERTION || check == HISTORY)
        report("violated", "assertion", "", where, 0, 0);
    stop(EXITED);
}

void __CSEQ_misuse(const char *key, unsigned where)
{
    if (check == ASSERTION || check == HISTORY)
        report("violated", "misuse", key, where, 0, 0);
    stop(EXITED);
}

void __CSEQ_leave(void) { main_has_left = 1; }

void __CSEQ_drop(void) { stop(STOPPED); }

void __CSEQ_exit(void) { stop(EXITED); }

void __CSEQ_refuse(const char *what, unsigned where) { report("refused", "", what, where, 0, 0); }

/* Execution */

static void execute(unsigned thread)
{
    self = thread;
    begun = threads.length[thread];
    cursor = 0;
    in_section = 0;
    used[self] = 0;
    visit_count = 0;
    nap_count = 0;
    dozes_at = 0;
    asleep_with[self] = -1;
    if (setjmp(leave))
        return;
    const struct event *created = &now.events[threads.created[thread]];
    unsigned function = thread ? created->from : 0;
    uint64_t argument = thread ? created->value : 0;
    if (!known(START, 0))
        added_and_known(START, __CSEQ_PLAIN, 0, created->where);
    uint64_t result = __CSEQ_run(function, argument);
    if (!known(END, 0))
        added_and_known(END, __CSEQ_PLAIN, 0, 0)->value = result;
    status[thread] = FINISHED;
}

/* Whether the thread has loaded for a read-modify-write that is not over, and does not wait there. */
static int is_pending(unsigned thread)
{
    if (!threads.length[thread] || status[thread] != READY)
        return 0;
    const struct event *last = &now.events[threads.of[thread][threads.length[thread] - 1]];
    return last->kind == LOAD && last->exclusive && last->progress < FAILED;
}

static int next_thread(void)
{
    for (unsigned i = 0; i < MOST_THREADS; i++)
        if (is_pending(i))
            return i;
    for (unsigned i = 0; i < MOST_THREADS; i++)
        if ((i == 0 || threads.created[i]) && status[i] == READY)
            return i;
    for (unsigned i = 0; i < MOST_THREADS; i++)
        if (status[i] == WAITS)
            return i;
    return -1;
}

/* Whether the thread waits, and what it has read is still so. */
static int is_waiting(unsigned thread)
{
    if (status[thread] != AWAITS_OBJECT)
        return status[thread] == AWAITS_THREAD;
    const struct event *last = &now.events[threads.of[thread][threads.length[thread] - 1]];
    return last_store(last->object) == last->from;
}

/* The thread that has the mutex which *thread* needs once it has woken up, or -1. */
static int owner_for(unsigned thread)
{
    if (!__CSEQ_owner || asleep_with[thread] < 0)
        return -1;
    unsigned last = last_store(asleep_with[thread]);
    uint64_t value = last ? now.events[last].value : shared->locations[asleep_with[thread]].initial;
    int owner = (int)__CSEQ_owner(state(value)) - 1;
    return owner == (int)thread ? -1 : owner;
}

/* Whether *thread*, which waits, does so for ever if those in *stuck* do. The end of main's function is that of the
 * process, so main always has something left to do before that. */
static int is_stuck(unsigned thread, const int *stuck)
{
    int all = 1, some = 0;
    int owner = status[thread] == AWAITS_OBJECT ? owner_for(thread) : -1;
    for (unsigned i = 0; i < MOST_THREADS; i++) {
        if (i && !threads.created[i])
            continue;
        int acts = !stuck[i] && (status[i] != FINISHED || (i == 0 && !main_has_left));
        all = all && !acts;
        some = some || ((int)i == owner && !acts) || (awaited[thread] != ANY && awaited[thread] >> i & 1 && !acts);
    }
    return some || (awaited[thread] == ANY && all);
}

/* Threads that wait for each other, or for something that a thread which has ended would have to do. Nothing that they
 * have done depends on the end of another thread's way, so they are stuck before main returns, or before an assumption
 * does not hold, too. */
static void find_deadlock(void)
{
    int stuck[MOST_THREADS];
    unsigned events[MOST_THREADS], count = 0;
    if (check != DEADLOCK)
        return;
    for (unsigned i = 0; i < MOST_THREADS; i++)
        stuck[i] = threads.length[i] && is_waiting(i);
    for (int changed = 1; changed;) {
        changed = 0;
        for (unsigned i = 0; i < MOST_THREADS; i++)
            if (stuck[i] && !is_stuck(i, stuck)) {
                stuck[i] = 0;
                changed = 1;
            }
    }
    for (unsigned i = 0; i < MOST_THREADS; i++)
        if (stuck[i] && status[i] == AWAITS_OBJECT)
            events[count++] = threads.of[i][threads.length[i] - 1];
        else if (stuck[i] && now.count < MOST_EVENTS) {
            unsigned who = 0;
            while (!(awaited[i] >> who & 1))
                who++;
            now.events[now.count] = (struct event){.kind = WAIT, .thread = i, .object = who, .where = awaited_at[i]};
            events[count++] = now.count++;
        }
    if (count)
        report("violated", "deadlock", "", now.events[events[0]].where, events, count);
}

/* Whether the threads that have not ended wait for each other, or for an object that nothing else changes. */
static int is_standstill(void)
{
    for (unsigned i = 0; i < MOST_THREADS; i++)
        if (threads.length[i] && status[i] != FINISHED && !is_waiting(i))
            return 0;
    return 1;
}

static void find_leaks(void)
{
    for (unsigned e = 1; e < now.count; e++) {
        unsigned freed = 1;
        while (freed < now.count
               && (now.events[freed].kind != FREE || now.events[freed].object != now.events[e].object))
            freed++;
        if (now.events[e].kind == ALLOCATE && freed == now.count)
            report("refused", "", "memory that is not freed", now.events[e].where, 0, 0);
    }
}

static void complete(void)
{
    int whole = 1;
    for (unsigned i = 0; i < MOST_THREADS; i++)
        whole = whole && (status[i] == FINISHED || (i && !threads.created[i]));
    if (check == HISTORY)
        note_history(!whole && is_standstill());
    if (!whole) {
        __atomic_fetch_add(&shared->blocked, 1, __ATOMIC_RELAXED);
        find_deadlock();
        return;
    }
    if (finds_leaks)
        find_leaks();
    __atomic_fetch_add(&shared->executions, 1, __ATOMIC_RELAXED);
    if (lists)
        list();
}

static void wake_joining(void)
{
    for (unsigned i = 0; i < MOST_THREADS; i++)
        if (status[i] == AWAITS_THREAD)
            status[i] = READY;
}

/* Go on with a graph. Returns whether it is consistent. */
static int restore(struct saved *next)
{
    unsigned revisited = next->revisited, last = next->count - 1;
    now.count = next->count;
    memcpy(now.events, next->events, next->count * sizeof *now.events);
    free(next);
    prepared = __atomic_load_n(&shared->location_count, __ATOMIC_ACQUIRE);
    derive(prepared);
    if (!is_ordered())
        return 0;
    for (unsigned i = 0; i < MOST_THREADS; i++)
        status[i] = threads.ended[i] && (i || check != DEADLOCK) ? FINISHED : READY; /* main may say that it leaves */
    main_has_left = 0;
    find_races_of(last);
    find_races_of(revisited);
    if (now.events[last].exclusive && now.events[last].kind == STORE)
        find_races_of(predecessor(last));
    return 1;
}

void explore(enum check wanted, unsigned unwind)
{
    check = wanted;
    most_iterations = unwind;
    shared->creation_count = 1;
    now.count = 1;
    now.events[0] = (struct event){.kind = INITIAL, .thread = NONE};
    save(now.events, now.count);
    for (struct saved *next; (next = take());) {
        if (setjmp(give_up) || !restore(next))
            continue;
        for (int thread; (thread = next_thread()) >= 0;) {
            is_finishing = is_pending(thread);
            is_forced = status[thread] == WAITS;
            execute(thread);
            if (status[thread] == FINISHED)
                wake_joining();
        }
        complete();
    }
    const char *status = shared->is_racy ? "racy" : shared->cuts ? "cut" : "safe";
    report(status, "", "", shared->cut_at[0], shared->cut_at, shared->cuts);
}
