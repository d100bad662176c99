/* Relations of an execution graph, which are derived once and then extended with each event: happens-before as RC11 has
 * it (Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017, section 3), causality, and the accesses to each location.
 *
 * Both orders are vector clocks. The new event is the last of its thread, so nothing comes after it, and coherence asks
 * for one thing: its place is not before what happens before it has stored or read. What an acquiring load synchronises
 * with adds nothing to that: an access that happens before the store is not after it in the modification order. */

#include <string.h>
#include "graph.h"

int cxx20;
struct graph now;
struct threads threads;
struct accesses accesses[MOST_LOCATIONS];
uint16_t position[MOST_EVENTS], earlier[MOST_EVENTS];
clock before[MOST_EVENTS], causes[MOST_EVENTS];

static clock released[MOST_EVENTS];    /* what happens before a load that acquires from this store */
static clock headed[MOST_EVENTS];      /* the part of it by release stores of the same thread to the same location */
static clock fenced[MOST_THREADS];     /* what happens before the last release fence of the thread */
static clock acquirable[MOST_THREADS]; /* what an acquire fence of the thread synchronises with */

static int acquires(const struct event *e)
{
    return e->order == __CSEQ_ACQUIRE || e->order == __CSEQ_ACQ_REL || e->order == __CSEQ_SEQ_CST
        || e->order == __CSEQ_CONSUME;
}

/* Under PSO, stores pass each other, unless they are barriers. */
static int releases(const struct event *e)
{
    if (model == PSO && !e->exclusive && !e->lock)
        return e->order == __CSEQ_SEQ_CST;
    return e->order == __CSEQ_RELEASE || e->order == __CSEQ_ACQ_REL || e->order == __CSEQ_SEQ_CST;
}

void index_threads(const struct graph *graph, struct threads *to)
{
    memset(to->length, 0, sizeof to->length);
    memset(to->created, 0, sizeof to->created);
    memset(to->ended, 0, sizeof to->ended);
    for (unsigned e = 1; e < graph->count; e++) {
        const struct event *event = &graph->events[e];
        to->of[event->thread][to->length[event->thread]++] = e;
        if (event->kind == CREATE)
            to->created[event->object] = e;
        if (event->kind == END)
            to->ended[event->thread] = e;
    }
}

unsigned predecessor(unsigned e)
{
    unsigned thread = now.events[e].thread;
    return position[e] ? threads.of[thread][position[e] - 1] : threads.created[thread];
}

static void extend_load(unsigned e)
{
    const struct event *event = &now.events[e];
    causes[e] = joined(causes[e], causes[event->from]);
    if (event->order == __CSEQ_PLAIN)
        return;
    acquirable[event->thread] = joined(acquirable[event->thread], released[event->from]);
    if (acquires(event))
        before[e] = joined(before[e], released[event->from]);
}

/* What an acquiring load of store *e* synchronises with. */
static void extend_store(unsigned e)
{
    const struct event *event = &now.events[e];
    unsigned own = earlier[e];
    while (own && now.events[own].kind != STORE)
        own = earlier[own];
    headed[e] = releases(event) ? before[e] : own && !cxx20 ? headed[own] : (clock){0};
    released[e] = event->exclusive ? released[now.events[predecessor(e)].from] : (clock){0};
    if (event->order != __CSEQ_PLAIN)
        released[e] = joined(released[e], joined(headed[e], fenced[event->thread]));
}

static void add_access(unsigned e)
{
    const struct event *event = &now.events[e];
    struct accesses *to = &accesses[event->object];
    if (to->last[event->thread] == e)
        return;
    earlier[e] = to->last[event->thread];
    to->last[event->thread] = e;
    to->plain += event->order == __CSEQ_PLAIN;
    if (event->kind == LOAD)
        to->loads[to->loaded++] = e;
}

void extend(unsigned e)
{
    const struct event *event = &now.events[e];
    unsigned thread = event->thread, last = predecessor(e);
    before[e] = before[last];
    before[e][thread] = position[e] + 1;
    causes[e] = causes[last];
    causes[e][thread] = position[e] + 1;
    if (is_access(event))
        add_access(e);
    switch (event->kind) {
    case LOAD:
        extend_load(e);
        break;
    case STORE:
        extend_store(e);
        break;
    case FENCE:
        if (acquires(event))
            before[e] = joined(before[e], acquirable[thread]);
        if (releases(event))
            fenced[thread] = before[e];
        break;
    case JOIN:
        before[e] = joined(before[e], before[threads.ended[event->object]]);
        causes[e] = joined(causes[e], causes[threads.ended[event->object]]);
        break;
    }
}

/* Extend the relations by the events of a thread, as far as what causes them is there. Returns how far that is. */
static unsigned extend_thread(unsigned thread, unsigned from, uint8_t *is_there)
{
    for (; from < threads.length[thread]; from++) {
        unsigned e = threads.of[thread][from];
        const struct event *event = &now.events[e];
        if ((event->kind == LOAD && !is_there[event->from])
            || (event->kind == JOIN && !is_there[threads.ended[event->object]])
            || (event->kind == START && !is_there[threads.created[thread]]))
            break;
        position[e] = from;
        extend(e);
        is_there[e] = 1;
    }
    return from;
}

void derive(unsigned locations)
{
    static uint8_t is_there[MOST_EVENTS];
    unsigned next[MOST_THREADS] = {0};
    index_threads(&now, &threads);
    memset(is_there, 0, now.count);
    memset(fenced, 0, sizeof fenced);
    memset(acquirable, 0, sizeof acquirable);
    is_there[0] = 1;
    for (unsigned i = 0; i < locations; i++) {
        accesses[i].stored = 1;
        accesses[i].loaded = accesses[i].plain = 0;
        memset(accesses[i].last, 0, sizeof accesses[i].last);
    }
    for (unsigned e = 1; e < now.count; e++)
        if (now.events[e].kind == STORE) {
            struct accesses *to = &accesses[now.events[e].object];
            to->stores[now.events[e].place] = e;
            to->stored++;
        }
    for (int moved = 1; moved;) {
        moved = 0;
        for (unsigned thread = 0; thread < MOST_THREADS; thread++) {
            unsigned reached = extend_thread(thread, next[thread], is_there);
            moved |= reached != next[thread];
            next[thread] = reached;
        }
    }
}

void place_store(unsigned e, unsigned place)
{
    struct accesses *to = &accesses[now.events[e].object];
    for (unsigned i = to->stored++; i > place; i--) {
        to->stores[i] = to->stores[i - 1];
        now.events[to->stores[i]].place = i;
    }
    to->stores[place] = e;
    now.events[e].place = place;
}

/* Find what fences of the thread need of its first events. */
static void collect(unsigned thread, unsigned length)
{
    fenced[thread] = acquirable[thread] = (clock){0};
    for (unsigned i = 0; i < length; i++) {
        unsigned e = threads.of[thread][i];
        const struct event *event = &now.events[e];
        if (event->kind == LOAD && event->order != __CSEQ_PLAIN)
            acquirable[thread] = joined(acquirable[thread], released[event->from]);
        if (event->kind == FENCE && releases(event))
            fenced[thread] = before[e];
    }
}

void reorder(unsigned e, unsigned order)
{
    struct event *event = &now.events[e];
    accesses[event->object].plain += (order == __CSEQ_PLAIN) - (event->order == __CSEQ_PLAIN);
    if (order == __CSEQ_PLAIN)
        collect(event->thread, position[e]);
    event->order = order;
    extend(e);
}

void retract(unsigned thread, unsigned length)
{
    while (threads.length[thread] > length) {
        unsigned e = threads.of[thread][--threads.length[thread]];
        const struct event *event = &now.events[e];
        struct accesses *of = &accesses[event->object];
        now.count--;
        if (!is_access(event))
            continue;
        of->last[thread] = earlier[e];
        of->plain -= event->order == __CSEQ_PLAIN;
        of->loaded -= event->kind == LOAD;
        of->stored -= event->kind == STORE;
    }
    collect(thread, length);
}

unsigned least_place(unsigned object, clock happened)
{
    unsigned least = 0;
    for (unsigned i = 0; i < MOST_THREADS; i++) {
        unsigned e = accesses[object].last[i];
        while (e && !is_caused(e, happened))
            e = earlier[e];
        if (e && place_of(e) > least)
            least = place_of(e);
    }
    return least;
}
