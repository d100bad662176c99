/* States from which threads cannot come to their end: found backwards, along the transitions between all states. */

#include "endings.h"

#include <stdlib.h>

#include "../step.h"
#include "../way.h"

struct step {
    cs_place from, to;
    unsigned int thread;
};

struct cs_graph {
    struct node {
        cs_place place;
        __CSEQ_set alive;
    } *nodes; /* by place */
    struct step *steps;
    size_t node_count, node_room, step_count, step_room;
};

struct cs_graph *cs_graph_new(void) { return cs_allocate(sizeof(struct cs_graph)); }

void cs_graph_free(struct cs_graph *graph)
{
    free(graph->nodes);
    free(graph->steps);
    free(graph);
}

size_t cs_graph_memory(const struct cs_graph *graph)
{
    return graph->node_room * sizeof *graph->nodes + graph->step_room * sizeof *graph->steps;
}

/* Breadth-first, states are expanded in the order of their records. */
void cs_graph_state(struct cs_graph *graph, cs_place place, __CSEQ_set alive)
{
    graph->nodes = cs_enough_room(graph->nodes, graph->node_count + 1, &graph->node_room, sizeof *graph->nodes);
    graph->nodes[graph->node_count++] = (struct node){place, alive};
}

void cs_graph_step(struct cs_graph *graph, cs_place from, cs_place to, unsigned int thread)
{
    if (from == CS_NOWHERE)
        return;
    graph->steps = cs_enough_room(graph->steps, graph->step_count + 1, &graph->step_room, sizeof *graph->steps);
    graph->steps[graph->step_count++] = (struct step){from, to, thread};
}

static size_t number_of(const struct cs_graph *graph, cs_place place)
{
    size_t low = 0, high = graph->node_count;

    while (low + 1 < high) {
        size_t middle = low + (high - low) / 2;
        if (graph->nodes[middle].place <= place)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static int by_target(const void *one, const void *other)
{
    const struct step *a = one, *b = other;
    return (a->to > b->to) - (a->to < b->to);
}

/* Replace places by numbers of nodes, and sort. first: for each node, the number of the first step that leads to it. */
static size_t *prepare(struct cs_graph *graph)
{
    size_t *first = cs_allocate((graph->node_count + 1) * sizeof *first), step = 0;

    for (size_t i = 0; i < graph->step_count; i++) {
        graph->steps[i].from = number_of(graph, graph->steps[i].from);
        graph->steps[i].to = number_of(graph, graph->steps[i].to);
    }
    qsort(graph->steps, graph->step_count, sizeof *graph->steps, by_target);
    for (size_t node = 0; node <= graph->node_count; node++) {
        while (step < graph->step_count && graph->steps[step].to < node)
            step++;
        first[node] = step;
    }
    return first;
}

static __CSEQ_set others_than(unsigned int stopped)
{
    return stopped == CS_NO_THREAD ? ~__CSEQ_ONLY(0) : ~(__CSEQ_ONLY(0) | __CSEQ_ONLY(stopped));
}

/* From which nodes the other threads can all come to their end: backwards from where they have. */
static void mark_good(const struct cs_graph *graph, const size_t *first, unsigned int stopped, unsigned char *good,
                      size_t *todo)
{
    size_t count = 0;

    for (size_t node = 0; node < graph->node_count; node++) {
        good[node] = (graph->nodes[node].alive & others_than(stopped)) == 0;
        if (good[node])
            todo[count++] = node;
    }
    while (count > 0) {
        size_t node = todo[--count];
        for (size_t i = first[node]; i < first[node + 1]; i++) {
            const struct step *step = &graph->steps[i];
            if (step->thread != stopped && !good[step->from]) {
                good[step->from] = 1;
                todo[count++] = step->from;
            }
        }
    }
}

bool cs_graph_trap(struct cs_graph *graph, struct cs_trap *trap)
{
    size_t *first = prepare(graph), *todo = cs_allocate(graph->node_count * sizeof *todo), best = graph->node_count;
    unsigned char *good = cs_allocate(graph->node_count);

    for (unsigned int number = 0; number < __CSEQ_most_threads; number++) {
        unsigned int stopped = number > 0 ? number : CS_NO_THREAD;
        mark_good(graph, first, stopped, good, todo);
        for (size_t node = 0; node < best; node++) {
            __CSEQ_set alive = graph->nodes[node].alive;
            if (!good[node] && (stopped == CS_NO_THREAD || (alive >> stopped & 1))) {
                best = node;
                *trap = (struct cs_trap){graph->nodes[node].place, stopped, alive & others_than(stopped)};
            }
        }
    }
    free(first);
    free(todo);
    free(good);
    return best < graph->node_count;
}
