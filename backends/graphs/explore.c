/* Exploration of all consistent execution graphs of a program: TruSt (Kokologiannakis, Marmanis, Gladstein, Vafeiadis,
 * POPL 2022, Algorithm 1). An event is added to a graph in all consistent ways; a store also becomes what loads that
 * are there already read from. Such a revisit removes what was added since and does not cause the store, and is only
 * done where that was added in the one maximal way, so each graph is made once.
 *
 * The next event is that of the thread with the lowest number that can go on; a read-modify-write is finished first. */

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include "explore.h"

enum { MOST_LOCATIONS = 1024, MOST_VISITS = 10000, ROOM = 1 << 16, MOST_BLOCKS = 64, LEAST_ADDRESS = 4096 };

struct graph now;
struct location locations[MOST_LOCATIONS];
unsigned long long executions, blocked;
int lists, is_racy;

static unsigned location_count;

/* Memory for blocks: each thread has its own, so that the same calls give the same addresses. */
static char heap[MOST_THREADS][ROOM] __attribute__((aligned(16)));
static unsigned long used[MOST_THREADS];
static struct {
    const char *at;
    unsigned long size;
    int is_zeroed;
} blocks[MOST_BLOCKS];
static unsigned block_count;
static struct threads threads;

/* The creations that threads are known by: the thread that creates, and how many it has created before. So a thread has
 * the same number in all graphs. Main is 0. */
static struct creation {
    unsigned by, index;
} creations[MOST_THREADS];
static unsigned creation_count = 1;

enum check check;
static unsigned most_iterations;

/* The graphs that are still to be explored. */
struct saved {
    struct saved *next;
    unsigned count;
    struct event events[];
};
static struct saved *todo;

static enum status status[MOST_THREADS];
static unsigned awaited_at[MOST_THREADS]; /* where a thread joins another one */
uint64_t awaited[MOST_THREADS];
static int asleep_with[MOST_THREADS]; /* the mutex that a thread which sleeps has to lock then; -1: it does not sleep */
static int main_has_left;

/* The thread that is being executed: its number, and how many of its events it has repeated. */
unsigned self;
static unsigned cursor;
static int in_section;
static unsigned success_order, failure_order;
static jmp_buf leave, give_up;

/* What the thread was like when it was at the heads of loops, and after how many of its events. */
struct visit {
    char *locals;
    unsigned loop, size, at;
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

void save(const struct graph *g)
{
    struct saved *made = malloc(sizeof *made + g->count * sizeof *g->events);
    if (!made)
        report("memory", "", "", 0, 0, 0);
    made->count = g->count;
    memcpy(made->events, g->events, g->count * sizeof *g->events);
    made->next = todo;
    todo = made;
}

/* Locations and values */

static int is_within(const char *at, const char *first, const char *end) { return first <= at && at < end; }

/* The block of the graph that has the byte *at*, or -1. */
static int block_with(const char *at)
{
    for (unsigned e = 1; e < now.count; e++) {
        unsigned number = now.events[e].object;
        if (now.events[e].kind == ALLOCATE && is_within(at, blocks[number].at, blocks[number].at + blocks[number].size))
            return number;
    }
    return -1;
}

unsigned location(const void *at, unsigned size, int is_library, unsigned where)
{
    const char *first = at;
    int is_in_heap = is_within(first, heap[0], heap[MOST_THREADS - 1] + ROOM);
    int is_known = is_in_heap || !__CSEQ_objects || is_within(first, __start___cs_fresh, __stop___cs_fresh);
    for (const struct __CSEQ_object *o = __CSEQ_objects; !is_known && o->name; o++)
        is_known = (const char *)o->at <= first && first + size <= (const char *)o->at + o->size;
    if ((uintptr_t)at < LEAST_ADDRESS)
        report("refused", "", "an access through a null pointer", where, 0, 0);
    if (is_in_heap && (block_with(first) < 0 || block_with(first) != block_with(first + size - 1)))
        report("refused", "", "an access outside of allocated memory", where, 0, 0);
    if (!is_known)
        report("refused", "", "an access outside of the program's objects", where, 0, 0);
    for (unsigned i = 0; i < location_count; i++) {
        const struct location *known = &locations[i];
        if (known->at == first && known->size == size && known->is_library == is_library
            && (!is_in_heap || known->unwritten == !blocks[block_with(first)].is_zeroed))
            return i;
        if (known->at < first + size && first < known->at + known->size)
            report("refused", "", "accesses of different sizes to the same memory", where, 0, 0);
    }
    if (location_count == MOST_LOCATIONS)
        report("refused", "", "memory of more than 1024 objects", where, 0, 0);
    if (size > sizeof(uint64_t) && !is_library)
        report("refused", "", "an access of more than 8 bytes", where, 0, 0);
    struct location *made = &locations[location_count];
    *made = (struct location){first, size, is_library, 0, 0};
    made->unwritten =
        is_in_heap ? !blocks[block_with(first)].is_zeroed : is_within(first, __start___cs_fresh, __stop___cs_fresh);
    if (is_library)
        made->initial = first_state(made);
    else
        memcpy(&made->initial, at, size);
    return location_count++;
}

uint64_t loaded(const struct event *load)
{
    return load->from ? now.events[load->from].value : locations[load->object].initial;
}

uint64_t value_of(const struct event *e) { return e->kind == LOAD ? loaded(e) : e->value; }

/* Whether an access is to the block that an event frees. */
static int is_in_block(const struct event *access, const struct event *freed)
{
    const char *at = locations[access->object].at, *block = blocks[freed->object].at;
    return is_access(access) && freed->kind == FREE && is_within(at, block, block + blocks[freed->object].size);
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

void find_races_of(unsigned e)
{
    const struct event *event = &now.events[e];
    if ((!is_access(event) && event->kind != FREE)
        || (event->exclusive && event->progress < FAILED && event->kind == LOAD))
        return; /* the order of a load for a read-modify-write that is not over is not known */
    for (unsigned other = 1; other < now.count; other++) {
        const struct event *with = &now.events[other];
        int frees = event->kind == FREE || with->kind == FREE;
        int atomic = event->order != __CSEQ_PLAIN && with->order != __CSEQ_PLAIN;
        if (other == e || (atomic && !frees) || !conflict(event, with))
            continue;
        if (ordered(e, other) || event->thread == with->thread) {
            if (frees && happens_before(event->kind == FREE ? e : other, event->kind == FREE ? other : e))
                report("refused", "", "memory that is used after it was freed", event->where, 0, 0);
            continue;
        }
        unsigned first = event->kind != LOAD ? e : other, events[] = {first, first == e ? other : e};
        if (check == RACE)
            report("violated", "race", "", event->where, events, 2);
        is_racy = 1;
    }
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
        report("refused", "", "an execution of more than 511 events", where, 0, 0);
    unsigned e = now.count++;
    threads.of[self][threads.length[self]++] = e;
    cursor++;
    if (kind == END)
        threads.ended[self] = e;
    now.events[e] = (struct event){.kind = kind, .order = order, .thread = self, .object = object, .where = where};
    return &now.events[e];
}

/* Stores to a location, by their place in the modification order; returns how many there are, the initial one too. */
unsigned stores_to(const struct graph *g, unsigned object, uint16_t *found)
{
    unsigned count = 1;
    found[0] = 0;
    for (unsigned e = 1; e < g->count; e++)
        if (g->events[e].kind == STORE && g->events[e].object == object) {
            found[g->events[e].place] = e;
            count++;
        }
    return count;
}

/* Let the new load read from each store. */
struct event *add_load(unsigned order, unsigned object, int is_exclusive, int lock, unsigned where)
{
    uint16_t stores[MOST_EVENTS];
    struct event *load = added(LOAD, order, object, where);
    load->lock = lock;
    load->exclusive = is_exclusive;
    load->progress = PENDING;
    unsigned count = stores_to(&now, object, stores);
    for (unsigned place = 0; place < count; place++) {
        load->from = stores[place];
        int is_last = place + 1 == count; /* which is always consistent */
        if (!consistent(&now)) {
            if (is_last)
                longjmp(give_up, 1);
        } else if (!is_last)
            save(&now);
    }
    find_races_of(now.count - 1);
    return load;
}

/* Put store *e*, the last event, at a place of the modification order, or take it from there. */
static void place_store(struct graph *g, unsigned place)
{
    struct event *store = &g->events[g->count - 1];
    for (unsigned e = 1; e + 1 < g->count; e++)
        if (g->events[e].kind == STORE && g->events[e].object == store->object && g->events[e].place >= place)
            g->events[e].place++;
    store->place = place;
}

static void take_store(struct graph *g)
{
    struct event *store = &g->events[g->count - 1];
    for (unsigned e = 1; e + 1 < g->count; e++)
        if (g->events[e].kind == STORE && g->events[e].object == store->object && g->events[e].place > store->place)
            g->events[e].place--;
}

/* The places where the last event, a store that has none yet, may be in the modification order. */
static void find_places(const struct graph *g, const struct event *load, unsigned *first, unsigned *last)
{
    const struct event *store = &g->events[g->count - 1];
    *first = 1;
    *last = 0;
    for (unsigned e = 0; e + 1 < g->count; e++)
        *last += is_write_to(&g->events[e], store->object);
    if (load)
        *first = *last = g->events[load->from].place + 1;
}

/* Save *g* with its last event, a store, at each place. load: that of its read-modify-write, or null. */
static void save_all_places(struct graph *g, const struct event *load)
{
    unsigned first, last;
    find_places(g, load, &first, &last);
    for (unsigned place = first; place <= last; place++) {
        place_store(g, place);
        if (consistent(g))
            save(g);
        take_store(g);
    }
}

/* The events that cause event *e*: what comes before it in (po ∪ rf)+, and itself. */
static void find_causes(unsigned e, uint64_t *causes)
{
    uint16_t waiting[MOST_EVENTS];
    unsigned count = 0;
    waiting[count++] = e;
    add(causes, e);
    while (count) {
        unsigned each = waiting[--count], before[3], found = 0;
        const struct event *event = &now.events[each];
        if (each == 0)
            continue;
        for (unsigned i = 0; i < threads.length[event->thread]; i++)
            if (threads.of[event->thread][i] == each && i > 0)
                before[found++] = threads.of[event->thread][i - 1];
        if (event->kind == START)
            before[found++] = threads.created[event->thread];
        if (event->kind == LOAD)
            before[found++] = event->from;
        if (event->kind == JOIN)
            before[found++] = threads.ended[event->object];
        for (unsigned i = 0; i < found; i++)
            if (!has(causes, before[i])) {
                add(causes, before[i]);
                waiting[count++] = before[i];
            }
    }
}

/* Whether event *e* was added in the maximal way, if what came before it is what was added until then, and what causes
 * the last event (IsMaximallyAdded). */
static int is_maximal(unsigned e, const uint64_t *causes)
{
    const struct event *event = &now.events[e];
    if (event->kind == CHOICE)
        return event->value == 0;
    if (!is_access(event))
        return 1;
    if (event->kind == LOAD && event->value != 0)
        return 0; /* another one of the choices that its step has */
    unsigned place = event->kind == STORE ? event->place : now.events[event->from].place;
    for (unsigned other = 1; other + 1 < now.count; other++) {
        const struct event *with = &now.events[other];
        if ((other > e && !has(causes, other)) || !is_access(with) || with->object != event->object)
            continue;
        if (with->kind == STORE ? with->place > place : event->kind == STORE && with->from == e)
            return 0;
    }
    return 1;
}

/* The graph in which *load* reads from the last event, without what came after it and does not cause that. */
static void revisit(unsigned load, const uint64_t *causes)
{
    static struct graph made;
    uint16_t number[MOST_EVENTS] = {0};
    uint16_t places[MOST_EVENTS];
    made.count = 0;
    for (unsigned e = 0; e < now.count; e++)
        if (e <= load || has(causes, e)) {
            number[e] = made.count;
            made.events[made.count++] = now.events[e];
        }
    unsigned store = made.count - 1;
    for (unsigned e = 1; e < made.count; e++) {
        struct event *event = &made.events[e];
        if (event->kind == LOAD)
            event->from = e == number[load] ? store : number[event->from];
        /* What is left of the modification order. */
        if (event->kind == STORE && e != store) {
            places[e] = 1;
            for (unsigned other = 1; other < store; other++)
                places[e] += made.events[other].kind == STORE && made.events[other].object == event->object
                    && made.events[other].place < event->place;
        }
    }
    for (unsigned e = 1; e < store; e++) {
        struct event *event = &made.events[e];
        if (event->kind == STORE)
            event->place = places[e];
        /* A read-modify-write may have lost its store, or has another value to decide about. */
        if (event->kind == LOAD && event->exclusive && (e == number[load] || event->progress == STORED)) {
            int kept = 0;
            for (unsigned other = e + 1; other < made.count && !kept; other++)
                if (made.events[other].thread == event->thread)
                    kept = 1;
            if (e == number[load])
                event->value = 0;
            if (e == number[load] || !kept) {
                event->progress = e == number[load] ? PENDING : CHOSEN;
                event->order = loading(__CSEQ_RELAXED);
            }
        }
    }
    const struct event *before = 0;
    for (unsigned e = 1; e < store; e++)
        if (made.events[e].thread == made.events[store].thread)
            before = &made.events[e];
    save_all_places(&made, made.events[store].exclusive ? before : 0);
}

/* Let each load that does not cause the last event, a store, read from it. */
static void revisit_loads(void)
{
    set causes = {0};
    unsigned store = now.count - 1;
    find_causes(store, causes);
    for (unsigned load = 1; load < store; load++) {
        const struct event *event = &now.events[load];
        if (event->kind != LOAD || event->object != now.events[store].object || has(causes, load))
            continue;
        int allowed = 1;
        for (unsigned e = load; e < store && allowed; e++)
            allowed = (e != load && has(causes, e)) || is_maximal(e, causes);
        if (allowed)
            revisit(load, causes);
    }
}

void add_store(unsigned order, unsigned object, struct event *load, int lock, uint64_t value, unsigned where)
{
    unsigned first, last, found = 0;
    struct event *store = added(STORE, order, object, where);
    store->lock = lock;
    store->exclusive = load != 0;
    store->value = value;
    revisit_loads();
    find_places(&now, load, &first, &last);
    for (unsigned place = first; place <= last; place++) {
        place_store(&now, place);
        found = consistent(&now);
        if (place == last)
            break;
        if (found)
            save(&now);
        take_store(&now);
    }
    if (!found)
        longjmp(give_up, 1);
    find_races_of(now.count - 1);
    if (load)
        find_races_of(load - now.events);
}

static struct event *last_event(void) { return &now.events[threads.of[self][cursor - 1]]; }

/* The calls of the program */

__CSEQ_word __CSEQ_load(const void *at, unsigned size, unsigned order, unsigned where)
{
    unsigned object = location(at, size, 0, where);
    struct event *load = known(LOAD, object);
    if (!load)
        load = add_load(in_section ? loading(__CSEQ_RELAXED) : loading(order), object, in_section, 0, where);
    if (load->from == 0 && locations[object].unwritten)
        report("refused", "", "memory that may not have been written is read", where, 0, 0);
    return loaded(load);
}

/* The order of the load of a read-modify-write is known when it is known whether that stores. */
void settle(struct event *load, enum progress progress, unsigned order)
{
    load->progress = progress;
    load->order = loading(order);
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
    if (!consistent(&now))
        longjmp(give_up, 1);
    find_races_of(last_event() - now.events);
}

void __CSEQ_fence(unsigned order, unsigned where)
{
    if (known(FENCE, 0))
        return;
    added(FENCE, strengthened(order), 0, where);
    if (!consistent(&now))
        longjmp(give_up, 1);
}

unsigned __CSEQ_create(unsigned function, __CSEQ_word argument, unsigned where)
{
    unsigned number = 1, index = 0;
    for (unsigned i = 0; i < cursor; i++)
        index += now.events[threads.of[self][i]].kind == CREATE;
    while (number < creation_count && (creations[number].by != self || creations[number].index != index))
        number++;
    if (number == MOST_THREADS)
        report("refused", "", "more than 15 threads besides main", where, 0, 0);
    if (number == creation_count)
        creations[creation_count++] = (struct creation){self, index};
    if (!known(CREATE, number)) {
        struct event *made = added(CREATE, __CSEQ_PLAIN, number, where);
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
    if (!known(DETACH, thread)) {
        added(DETACH, __CSEQ_PLAIN, thread, where);
        if (!consistent(&now))
            longjmp(give_up, 1);
    }
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
        added(JOIN, __CSEQ_PLAIN, thread, where);
        if (!consistent(&now))
            longjmp(give_up, 1);
    }
    *result = now.events[threads.ended[thread]].value;
    return 0;
}

unsigned __CSEQ_self(void) { return self; }

unsigned __CSEQ_choice(unsigned count, unsigned where)
{
    struct event *made = known(CHOICE, 0);
    if (!made) {
        made = added(CHOICE, __CSEQ_PLAIN, 0, where);
        for (made->value = count - 1; made->value; made->value--)
            save(&now);
    }
    return made->value;
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
    while (number < block_count
           && (blocks[number].at != at || blocks[number].size != size || blocks[number].is_zeroed != is_zeroed))
        number++;
    if (number == MOST_BLOCKS || used[self] > ROOM)
        report("refused", "", "a thread with more than 64 KB or 64 blocks of memory", where, 0, 0);
    if (number == block_count) {
        blocks[number].at = at;
        blocks[number].is_zeroed = is_zeroed;
        blocks[block_count++].size = size;
    }
    if (!known(ALLOCATE, number)) {
        added(ALLOCATE, __CSEQ_PLAIN, number, where)->value = may_reuse;
        if (!consistent(&now))
            longjmp(give_up, 1);
        find_reuse();
    }
    return (void *)at;
}

void __CSEQ_free(const void *block, unsigned where)
{
    if (!block)
        return;
    int number = block_with(block);
    if (number < 0 || blocks[number].at != block)
        report("refused", "", "freeing what is no block", where, 0, 0);
    if (known(FREE, number))
        return;
    added(FREE, __CSEQ_PLAIN, number, where);
    if (!consistent(&now))
        longjmp(give_up, 1);
    find_reuse();
    find_races_of(now.count - 1);
}

/* Whether a store, and the one before it in the modification order, are both plain, by one thread, and of one value.
 * Then what reads from it can read from the other one as well. */
static int is_repeated(const struct event *store)
{
    for (unsigned e = 1; e < now.count; e++) {
        const struct event *before = &now.events[e];
        if (before->kind == STORE && before->object == store->object && before->place + 1 == store->place)
            return before->thread == store->thread && before->order == __CSEQ_PLAIN && store->order == __CSEQ_PLAIN
                && before->value == store->value;
    }
    return 0;
}

/* Whether the events of the thread from *first* on leave memory as it was: choices, loads, fences, read-modify-writes
 * that store what they have loaded, and plain stores of what the thread has stored before. Without them the graph is
 * consistent and has fewer constraints, so nothing is lost if the thread does not repeat them. */
static int has_no_effect(unsigned first, int counts_naps)
{
    for (unsigned i = first; i < cursor; i++) {
        for (unsigned nap = 0; nap < nap_count && !counts_naps; nap++)
            if (naps[nap].from == i)
                i = naps[nap].to;
        if (i == cursor)
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
    unsigned iterations = 0;
    for (unsigned i = 0; i < visit_count; i++) {
        const struct visit *before = &visits[i];
        iterations += before->loop == number;
        if (before->loop != number || memcmp(before->locals, locals, size) != 0)
            continue;
        if (has_no_effect(before->at, 1))
            stop(SPINS);
        if (has_no_effect(before->at, 0))
            dozes_at = cursor;
    }
    if (most_iterations && iterations > most_iterations)
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
}

void __CSEQ_sleeps(void)
{
    if (nap_count == MOST_NAPS)
        report("refused", "", "a thread that waits more than 256 times", 0, 0, 0);
    naps[nap_count].from = cursor;
}

void __CSEQ_dozes(void)
{
    if (dozes_at && has_no_effect(dozes_at, 1))
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

static unsigned cut_at[64], cuts;

void __CSEQ_note(unsigned where)
{
    for (unsigned i = 0; i < cuts; i++)
        if (cut_at[i] == where)
            return;
    if (cuts < 64)
        cut_at[cuts++] = where;
}

void __CSEQ_cut(unsigned where)
{
    __CSEQ_note(where);
    stop(STOPPED);
}

void __CSEQ_violate(unsigned where)
{
    if (check == ASSERTION)
        report("violated", "assertion", "", where, 0, 0);
    stop(EXITED);
}

void __CSEQ_misuse(const char *key, unsigned where)
{
    if (check == ASSERTION)
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
        added(START, __CSEQ_PLAIN, 0, created->where);
    uint64_t result = __CSEQ_run(function, argument);
    if (!known(END, 0))
        added(END, __CSEQ_PLAIN, 0, 0)->value = result;
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
    return -1;
}

/* Whether the thread waits, and what it has read is still so. */
static int is_waiting(unsigned thread)
{
    uint16_t stores[MOST_EVENTS];
    if (status[thread] != AWAITS_OBJECT)
        return status[thread] == AWAITS_THREAD;
    const struct event *last = &now.events[threads.of[thread][threads.length[thread] - 1]];
    return stores[stores_to(&now, last->object, stores) - 1] == last->from;
}

/* The thread that has the mutex which *thread* needs once it has woken up, or -1. */
static int owner_for(unsigned thread)
{
    uint16_t stores[MOST_EVENTS];
    if (!__CSEQ_owner || asleep_with[thread] < 0)
        return -1;
    const struct event *last = &now.events[stores[stores_to(&now, asleep_with[thread], stores) - 1]];
    int owner = (int)__CSEQ_owner(state(last == now.events ? locations[asleep_with[thread]].initial : last->value)) - 1;
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

static void complete(void)
{
    int whole = 1;
    for (unsigned i = 0; i < MOST_THREADS; i++)
        whole = whole && (status[i] == FINISHED || (i && !threads.created[i]));
    if (!whole) {
        blocked++;
        find_deadlock();
        return;
    }
    executions++;
    if (lists)
        list();
}

static void wake_joining(void)
{
    for (unsigned i = 0; i < MOST_THREADS; i++)
        if (status[i] == AWAITS_THREAD)
            status[i] = READY;
}

void explore(enum check wanted, unsigned unwind)
{
    check = wanted;
    most_iterations = unwind;
    now.count = 1;
    now.events[0] = (struct event){.kind = INITIAL, .thread = NONE};
    save(&now);
    while (todo) {
        struct saved *next = todo;
        todo = next->next;
        now.count = next->count;
        memcpy(now.events, next->events, next->count * sizeof *now.events);
        free(next);
        index_threads(&now, &threads);
        if (!consistent(&now))
            continue;
        for (unsigned e = 1; e < now.count; e++)
            find_races_of(e);
        memset(status, 0, sizeof status);
        main_has_left = 0;
        if (setjmp(give_up))
            continue;
        for (int thread; (thread = next_thread()) >= 0;) {
            execute(thread);
            if (status[thread] == FINISHED)
                wake_joining();
        }
        complete();
    }
    report(is_racy ? "racy" : cuts ? "cut" : "safe", "", "", cuts ? cut_at[0] : 0, cut_at, cuts);
}
