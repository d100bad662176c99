/* The order of all accesses that a memory model asks for, in a graph that is coherent and atomic: acyclic psc (Lahav,
 * Vafeiadis, Kang, Hur, Dreyer, PLDI 2017, section 3), or acyclic po ∪ rf ∪ mo ∪ fr, of which TSO and PSO leave out
 * what buffers of stores do not keep.
 *
 * A set with which all that comes later in program order is in it is the least position of each thread in it. */

#include <string.h>
#include "graph.h"

enum model model = C11;

typedef uint16_t suffix[MOST_THREADS];

static int is_same_location(unsigned a, unsigned b)
{
    const struct event *one = &now.events[a], *other = &now.events[b];
    return is_access(one) && is_access(other) && one->object == other->object;
}

/* Where an access is in the extended coherence order of its location: stores are even, loads odd. */
static unsigned coherence(unsigned e) { return 2 * place_of(e) + (now.events[e].kind == LOAD); }

/* Acyclic psc */

static uint16_t strong[MOST_EVENTS]; /* the seq_cst events */
static unsigned strong_count;
/* What the event that is looked at comes before in scb, for a fence in hb?;scb; the first of those in each thread; and
 * likewise for hb;eco. */
static uint8_t through[MOST_EVENTS];
static suffix first_through, first_far;

static void clear(suffix to)
{
    for (unsigned i = 0; i < MOST_THREADS; i++)
        to[i] = MOST_EVENTS;
}

static void lower(suffix to, unsigned e)
{
    unsigned thread = now.events[e].thread;
    if (position[e] < to[thread])
        to[thread] = position[e];
}

static void reach(unsigned e)
{
    through[e] = 1;
    lower(first_through, e);
}

static void reach_from(unsigned thread, unsigned from)
{
    for (unsigned i = from; i < threads.length[thread]; i++)
        reach(threads.of[thread][i]);
}

/* The first event of a thread that happens after *e*. */
static unsigned first_after(unsigned e, unsigned thread)
{
    unsigned least = 0, end = threads.length[thread];
    if (thread == now.events[e].thread)
        return position[e] + 1;
    while (least < end) {
        unsigned middle = (least + end) / 2;
        if (is_caused(e, before[threads.of[thread][middle]]))
            end = middle;
        else
            least = middle + 1;
    }
    return least;
}

/* The first event of a thread from *from* on that is not an access to the same location as *e*. */
static unsigned first_apart(unsigned e, unsigned thread, unsigned from)
{
    while (from < threads.length[thread] && is_same_location(e, threads.of[thread][from]))
        from++;
    return from;
}

/* po|≠loc;hb;po|≠loc. Of the events in the middle, the first ones have the most after them. */
static void reach_apart(unsigned e)
{
    unsigned own = now.events[e].thread, middle = first_apart(e, own, position[e] + 1);
    if (middle == threads.length[own])
        return;
    for (unsigned thread = 0; thread < MOST_THREADS; thread++) {
        unsigned from = first_after(threads.of[own][middle], thread);
        if (from < threads.length[thread])
            reach_from(thread, first_apart(threads.of[thread][from], thread, from + 1));
    }
}

static void reach_stores(unsigned object, unsigned place)
{
    for (unsigned i = place; i < accesses[object].stored; i++)
        reach(accesses[object].stores[i]);
}

/* Whether an access to the same location happens before *e*, among those from *from* on. */
static int follows_same_location(unsigned e, const suffix from)
{
    const struct accesses *all = &accesses[now.events[e].object];
    for (unsigned thread = 0; thread < MOST_THREADS; thread++)
        for (unsigned a = all->last[thread]; a && position[a] >= from[thread]; a = earlier[a])
            if (happens_before(a, e))
                return 1;
    return 0;
}

/* scb = po ∪ po|≠loc;hb;po|≠loc ∪ hb|loc ∪ mo ∪ fr */
static void reach_from_access(unsigned e)
{
    unsigned object = now.events[e].object;
    reach_from(now.events[e].thread, position[e] + 1);
    reach_apart(e);
    for (unsigned thread = 0; thread < MOST_THREADS; thread++)
        for (unsigned a = accesses[object].last[thread]; a && happens_before(e, a); a = earlier[a])
            reach(a);
    reach_stores(object, place_of(e) + 1);
}

/* hb?;scb and hb;eco */
static void reach_from_fence(unsigned e)
{
    static uint16_t least[MOST_LOCATIONS], used[MOST_EVENTS];
    unsigned count = 0;
    suffix after;
    for (unsigned thread = 0; thread < MOST_THREADS; thread++)
        after[thread] = first_after(e, thread);
    for (unsigned thread = 0; thread < MOST_THREADS; thread++)
        for (unsigned i = after[thread]; i < threads.length[thread]; i++) {
            unsigned a = threads.of[thread][i], object = now.events[a].object;
            if (i > after[thread] || thread == now.events[e].thread)
                reach(a);
            if (!is_access(&now.events[a]))
                continue;
            if (i == after[thread] && follows_same_location(a, after))
                reach(a);
            if (!least[object]) {
                used[count++] = object;
                least[object] = NOWHERE;
            }
            if (coherence(a) < least[object])
                least[object] = coherence(a);
        }
    for (unsigned i = 0; i < count; i++) {
        const struct accesses *all = &accesses[used[i]];
        reach_stores(used[i], least[used[i]] / 2 + 1);
        for (unsigned k = least[used[i]] / 2 + 1; k < all->stored; k++)
            lower(first_far, all->stores[k]);
        for (unsigned k = 0; k < all->loaded; k++)
            if (coherence(all->loads[k]) > least[used[i]])
                lower(first_far, all->loads[k]);
        least[used[i]] = 0;
    }
}

/* Whether an event from *from* on happens before *e*. */
static int follows(unsigned e, const suffix from)
{
    for (unsigned thread = 0; thread < MOST_THREADS; thread++)
        if (from[thread] < before[e][thread] - (thread == now.events[e].thread))
            return 1;
    return 0;
}

/* The seq_cst events after strong[number] in psc, by their numbers. Returns how many there are. */
static unsigned find_next(unsigned number, uint16_t *next)
{
    unsigned e = strong[number], count = 0;
    int is_fence = now.events[e].kind == FENCE;
    memset(through, 0, now.count);
    clear(first_through);
    clear(first_far);
    if (is_fence)
        reach_from_fence(e);
    else
        reach_from_access(e);
    for (unsigned i = 0; i < strong_count; i++) {
        unsigned other = strong[i];
        int related = through[other];
        if (!related && now.events[other].kind == FENCE)
            related =
                follows(other, first_through) || (is_fence && (happens_before(e, other) || follows(other, first_far)));
        if (related)
            next[count++] = i;
    }
    return count;
}

/* Whether a cycle can be reached from strong[number]. */
static int finds_cycle(unsigned number, uint8_t *seen)
{
    uint16_t next[MOST_EVENTS];
    unsigned count = find_next(number, next);
    seen[number] = 1;
    for (unsigned i = 0; i < count; i++)
        if (seen[next[i]] == 1 || (!seen[next[i]] && finds_cycle(next[i], seen)))
            return 1;
    seen[number] = 2;
    return 0;
}

static int is_psc_acyclic(void)
{
    uint8_t seen[MOST_EVENTS] = {0};
    strong_count = 0;
    for (unsigned e = 1; e < now.count; e++)
        if (now.events[e].order == __CSEQ_SEQ_CST)
            strong[strong_count++] = e;
    for (unsigned i = 0; i < strong_count && strong_count > 1; i++)
        if (!seen[i] && finds_cycle(i, seen))
            return 0;
    return 1;
}

/* Orders of all accesses. The events are done one by one, as far as the model lets them: a load after the store that it
 * reads from, unless that is its own and may be in the buffer, and a store after the loads that read from the one
 * before. Stores may be done after later loads of their thread, and under PSO after later stores to other locations,
 * too, unless there is a barrier in between. */

static uint8_t done[MOST_EVENTS];
static uint16_t unread[MOST_EVENTS], initial_unread[MOST_LOCATIONS]; /* how many loads from the store are left */

static uint16_t *unread_of(unsigned object, unsigned store) { return store ? &unread[store] : &initial_unread[object]; }

/* Whether no access of the thread passes the event. */
static int is_barrier(const struct event *e)
{
    if (is_access(e))
        return e->lock ? e->lock == LOCKS : e->exclusive || (e->kind == STORE && e->order == __CSEQ_SEQ_CST);
    return e->kind == FENCE ? e->order == __CSEQ_SEQ_CST
                            : e->kind == CREATE || e->kind == JOIN || e->kind == START || e->kind == END;
}

static int has_its_cause(const struct event *event)
{
    unsigned last;
    switch (event->kind) {
    case LOAD:
        return done[event->from] || (model != SC && now.events[event->from].thread == event->thread);
    case STORE:
        last = accesses[event->object].stores[event->place - 1];
        return done[last] && !*unread_of(event->object, last);
    case START:
        return done[threads.created[event->thread]];
    case JOIN:
        return done[threads.ended[event->object]];
    default:
        return 1;
    }
}

/* Do what the thread can do, from its event *from* on, which is not done. Returns how many events that were. */
static unsigned advance(unsigned thread, unsigned from)
{
    unsigned count = 0;
    int stores_wait = 0;
    for (unsigned i = from; i < threads.length[thread]; i++) {
        unsigned e = threads.of[thread][i];
        const struct event *event = &now.events[e];
        if (done[e])
            continue;
        int waits = stores_wait && (is_barrier(event) || (event->kind == STORE && model == TSO));
        if (!waits && has_its_cause(event)) {
            done[e] = 1;
            count++;
            if (event->kind == LOAD)
                --*unread_of(event->object, event->from);
        } else if (model == SC || event->kind == LOAD || is_barrier(event))
            break;
        else
            stores_wait = 1;
    }
    return count;
}

static int is_sequential(void)
{
    unsigned next[MOST_THREADS] = {0}, count = 1, moved = 1;
    memset(done, 0, now.count);
    memset(unread, 0, now.count * sizeof *unread);
    memset(initial_unread, 0, sizeof initial_unread);
    for (unsigned e = 1; e < now.count; e++)
        if (now.events[e].kind == LOAD)
            ++*unread_of(now.events[e].object, now.events[e].from);
    for (done[0] = 1; moved; count += moved) {
        moved = 0;
        for (unsigned thread = 0; thread < MOST_THREADS; thread++) {
            while (next[thread] < threads.length[thread] && done[threads.of[thread][next[thread]]])
                next[thread]++;
            moved += advance(thread, next[thread]);
        }
    }
    return count == now.count;
}

int is_ordered(void) { return model == C11 ? is_psc_acyclic() : is_sequential(); }
