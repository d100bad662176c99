/* Consistency of execution graphs: RC11 (Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017, section 3) and sequential
 * consistency. Happens-before is computed in one pass, since it is a part of (po ∪ rf)+. */

#include <string.h>
#include "graph.h"

enum model model = C11;
int cxx20;

static const struct graph *g;
static struct threads t;
static unsigned words;

static set before[MOST_EVENTS];   /* happens-before: the events before each one */
static set released[MOST_EVENTS]; /* what happens before a load that acquires from this store */
static uint16_t order[MOST_EVENTS];

static int acquires(const struct event *e)
{
    return e->order == __CSEQ_ACQUIRE || e->order == __CSEQ_ACQ_REL || e->order == __CSEQ_SEQ_CST
        || e->order == __CSEQ_CONSUME;
}

static int releases(const struct event *e)
{
    return e->order == __CSEQ_RELEASE || e->order == __CSEQ_ACQ_REL || e->order == __CSEQ_SEQ_CST;
}

int happens_before(unsigned a, unsigned b) { return has(before[b], a); }

int ordered(unsigned a, unsigned b) { return has(before[a], b) || has(before[b], a); }

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

/* Put the events in an order that agrees with po ∪ rf, creation and joining; whether there is one. */
static int sort(void)
{
    unsigned next[MOST_THREADS] = {0}, count = 0;
    set done = {0};
    add(done, 0);
    order[count++] = 0;
    for (int moved = 1; moved;) {
        moved = 0;
        for (unsigned thread = 0; thread < MOST_THREADS; thread++) {
            if (next[thread] == t.length[thread] || (thread != 0 && !has(done, t.created[thread])))
                continue;
            unsigned e = t.of[thread][next[thread]];
            const struct event *event = &g->events[e];
            if (event->kind == LOAD && !has(done, event->from))
                continue;
            if (event->kind == JOIN && !has(done, t.ended[event->object]))
                continue;
            add(done, e);
            order[count++] = e;
            next[thread]++;
            moved = 1;
        }
    }
    return count == g->count;
}

static void release(unsigned to, unsigned e)
{
    join(released[to], before[e], words);
    add(released[to], e);
}

/* What an acquiring load of store *e*, which is event *index* of its thread, synchronises with. fence: the last release
 * fence of the thread, or 0. */
static void find_released(unsigned e, unsigned index, unsigned fence)
{
    const struct event *event = &g->events[e];
    if (event->exclusive)
        join(released[e], released[g->events[t.of[event->thread][index - 1]].from], words);
    if (event->order == __CSEQ_PLAIN)
        return;
    if (fence)
        release(e, fence);
    if (releases(event))
        release(e, e);
    for (unsigned i = 0; i < index && !cxx20; i++) {
        unsigned head = t.of[event->thread][i];
        const struct event *earlier = &g->events[head];
        if (earlier->kind == STORE && earlier->object == event->object && releases(earlier))
            release(e, head);
    }
}

static void find_happens_before(void)
{
    unsigned index[MOST_THREADS] = {0}, fence[MOST_THREADS] = {0};
    static set acquirable[MOST_THREADS]; /* what an acquire fence of a thread synchronises with */
    memset(acquirable, 0, sizeof acquirable);
    for (unsigned i = 0; i < g->count; i++) {
        memset(before[i], 0, words * sizeof(uint64_t));
        memset(released[i], 0, words * sizeof(uint64_t));
    }
    for (unsigned i = 1; i < g->count; i++) {
        unsigned e = order[i];
        const struct event *event = &g->events[e];
        unsigned thread = event->thread, at = index[thread]++;
        unsigned last = at ? t.of[thread][at - 1] : t.created[thread];
        join(before[e], before[last], words);
        add(before[e], last);
        switch (event->kind) {
        case LOAD:
            if (event->order == __CSEQ_PLAIN)
                break;
            join(acquirable[thread], released[event->from], words);
            if (acquires(event))
                join(before[e], released[event->from], words);
            break;
        case STORE:
            find_released(e, at, fence[thread]);
            break;
        case FENCE:
            if (acquires(event))
                join(before[e], acquirable[thread], words);
            if (releases(event))
                fence[thread] = e;
            break;
        case JOIN:
            join(before[e], before[t.ended[event->object]], words);
            add(before[e], t.ended[event->object]);
            break;
        }
    }
}

/* Where an access is in the extended coherence order of its location: stores are even, loads odd. */
static unsigned coherence(const struct event *e)
{
    return e->kind == LOAD ? 2 * g->events[e->from].place + 1 : 2 * e->place;
}

static int is_coherent(void)
{
    for (unsigned a = 1; a < g->count; a++) {
        const struct event *one = &g->events[a];
        if (!is_access(one))
            continue;
        for (unsigned b = 1; b < g->count; b++) {
            const struct event *other = &g->events[b];
            if (is_access(other) && other->object == one->object && coherence(one) < coherence(other)
                && has(before[a], b))
                return 0;
        }
    }
    return 1;
}

static int is_atomic(void)
{
    for (unsigned thread = 0; thread < MOST_THREADS; thread++)
        for (unsigned i = 1; i < t.length[thread]; i++) {
            const struct event *store = &g->events[t.of[thread][i]];
            const struct event *load = &g->events[t.of[thread][i - 1]];
            if (store->kind == STORE && store->exclusive && store->place != g->events[load->from].place + 1)
                return 0;
        }
    return 1;
}

/* Whether the relation of *count* nodes, as sets of successors, has no cycle. */
static int is_acyclic(set *after, unsigned count)
{
    for (unsigned k = 0; k < count; k++)
        for (unsigned a = 0; a < count; a++)
            if (has(after[a], k))
                join(after[a], after[k], words);
    for (unsigned a = 0; a < count; a++)
        if (has(after[a], a))
            return 0;
    return 1;
}

/* Whether a and b are in the extended coherence order: (rf ∪ mo ∪ fr)+ or, of those, mo ∪ fr. */
static int is_before_in_coherence(const struct event *a, const struct event *b, int only_stores)
{
    if (!is_access(a) || !is_access(b) || a->object != b->object || (only_stores && b->kind != STORE))
        return 0;
    return coherence(a) < coherence(b);
}

static int is_po(unsigned a, unsigned b) { return a < b && g->events[a].thread == g->events[b].thread; }

static int is_same_location(unsigned a, unsigned b)
{
    const struct event *one = &g->events[a], *other = &g->events[b];
    return is_access(one) && is_access(other) && one->object == other->object;
}

/* psc is acyclic. */
static int is_psc_acyclic(void)
{
    static set after[MOST_EVENTS], scb[MOST_EVENTS], psc[MOST_EVENTS];
    unsigned count = g->count, found = 0;
    for (unsigned e = 1; e < count; e++)
        found += g->events[e].order == __CSEQ_SEQ_CST;
    if (found < 2)
        return 1;
    for (unsigned a = 0; a < count; a++) {
        memset(after[a], 0, words * sizeof(uint64_t));
        memset(scb[a], 0, words * sizeof(uint64_t));
        memset(psc[a], 0, words * sizeof(uint64_t));
    }
    for (unsigned b = 1; b < count; b++)
        for (unsigned a = 1; a < count; a++)
            if (has(before[b], a))
                add(after[a], b);
    /* scb = po ∪ po|≠loc;hb;po|≠loc ∪ hb|loc ∪ mo ∪ fr */
    for (unsigned a = 1; a < count; a++) {
        set middle = {0};
        for (unsigned b = 1; b < count; b++) {
            if (is_po(a, b) || (is_same_location(a, b) && has(after[a], b))
                || is_before_in_coherence(&g->events[a], &g->events[b], 1))
                add(scb[a], b);
            if (is_po(a, b) && !is_same_location(a, b))
                join(middle, after[b], words);
        }
        for (unsigned c = 1; c < count; c++)
            for (unsigned b = c + 1; has(middle, c) && b < count; b++)
                if (is_po(c, b) && !is_same_location(c, b))
                    add(scb[a], b);
    }
    for (unsigned a = 1; a < count; a++) {
        if (g->events[a].order != __CSEQ_SEQ_CST)
            continue;
        int is_fence = g->events[a].kind == FENCE;
        set through = {0}, far = {0};
        join(through, scb[a], words);
        for (unsigned b = 1; is_fence && b < count; b++) {
            if (!has(after[a], b))
                continue;
            join(through, scb[b], words);
            /* [F];hb;eco;hb;[F] */
            for (unsigned c = 1; c < count; c++)
                if (is_before_in_coherence(&g->events[b], &g->events[c], 0))
                    join(far, after[c], words);
        }
        for (unsigned b = 1; b < count; b++) {
            if (g->events[b].order != __CSEQ_SEQ_CST)
                continue;
            int related = has(through, b);
            if (g->events[b].kind == FENCE) {
                for (unsigned c = 1; c < count && !related; c++)
                    related = has(through, c) && has(after[c], b);
                related |= is_fence && (has(after[a], b) || has(far, b));
            }
            if (related)
                add(psc[a], b);
        }
    }
    return is_acyclic(psc, count);
}

/* po ∪ rf ∪ mo ∪ fr, with creation and joining, is acyclic. */
static int is_sequential(void)
{
    static set after[MOST_EVENTS];
    unsigned count = g->count;
    for (unsigned a = 0; a < count; a++)
        memset(after[a], 0, words * sizeof(uint64_t));
    for (unsigned b = 1; b < count; b++)
        for (unsigned a = 1; a < count; a++)
            if (has(before[b], a) || is_before_in_coherence(&g->events[a], &g->events[b], 0))
                add(after[a], b);
    return is_acyclic(after, count);
}

int consistent(const struct graph *graph)
{
    g = graph;
    words = (g->count + 63) / 64;
    index_threads(g, &t);
    if (!sort())
        return 0;
    find_happens_before();
    if (!is_coherent() || !is_atomic())
        return 0;
    return model == SC ? is_sequential() : is_psc_acyclic();
}
