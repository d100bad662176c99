/* The six orders. With iterative context bounding, states that cost one more preemption wait until all cheaper ones
 * are done. */

#include "frontier.h"

#include <stdlib.h>
#include <string.h>

uint64_t cs_random(uint64_t *state)
{
    /* The generator "splitmix64" (public domain). */
    uint64_t word = *state += 0x9e3779b97f4a7c15ULL;
    word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9ULL;
    word = (word ^ word >> 27) * 0x94d049bb133111ebULL;
    return word ^ word >> 31;
}

static void *larger(void *array, size_t size)
{
    array = realloc(array, size);
    if (!array)
        abort();
    return array;
}

void cs_frontier_begin(struct cs_frontier *frontier, enum cs_order order, uint64_t seed)
{
    *frontier = (struct cs_frontier){.order = order, .seed = seed};
}

void cs_frontier_end(struct cs_frontier *frontier)
{
    for (size_t i = 0; i < frontier->line_count; i++)
        free(frontier->lines[i].waiting);
    free(frontier->lines);
    free(frontier->heap);
}

size_t cs_frontier_memory(const struct cs_frontier *frontier)
{
    size_t memory = frontier->heap_room * sizeof *frontier->heap;

    for (size_t i = 0; i < frontier->line_count; i++)
        memory += frontier->lines[i].room * sizeof *frontier->lines[i].waiting;
    return memory;
}

static void line_add(struct cs_line *line, struct cs_waiting waiting)
{
    if (line->end == line->room && line->first > line->room / 2) {
        memmove(line->waiting, line->waiting + line->first, (line->end - line->first) * sizeof *line->waiting);
        line->end -= line->first;
        line->first = 0;
    }
    if (line->end == line->room) {
        line->room = line->room * 2 + 1024;
        line->waiting = larger(line->waiting, line->room * sizeof *line->waiting);
    }
    line->waiting[line->end++] = waiting;
}

static bool comes_first(const struct cs_frontier *frontier, const struct cs_item *one, const struct cs_item *other)
{
    if (frontier->order == CS_BEAM && one->waiting.depth != other->waiting.depth)
        return one->waiting.depth < other->waiting.depth;
    return one->metric != other->metric ? one->metric > other->metric : one->age < other->age;
}

static void heap_add(struct cs_frontier *frontier, struct cs_item item)
{
    size_t at = frontier->heap_count++;
    struct cs_item *heap;

    if (frontier->heap_count > frontier->heap_room) {
        frontier->heap_room = frontier->heap_room * 2 + 1024;
        frontier->heap = larger(frontier->heap, frontier->heap_room * sizeof *frontier->heap);
    }
    heap = frontier->heap;
    for (; at > 0 && comes_first(frontier, &item, &heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = item;
}

static struct cs_waiting heap_take(struct cs_frontier *frontier)
{
    struct cs_item *heap = frontier->heap;
    size_t count = --frontier->heap_count, at = 0, child;
    struct cs_waiting top = heap[0].waiting;
    struct cs_item item = heap[count];

    while ((child = at * 2 + 1) < count) {
        if (child + 1 < count && comes_first(frontier, &heap[child + 1], &heap[child]))
            child++;
        if (!comes_first(frontier, &heap[child], &item))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = item;
    return top;
}

/* Among the states that are equally deep, the first *width* ones are taken, and the others are dropped. */
static bool take_from_beam(struct cs_frontier *frontier, struct cs_waiting *waiting)
{
    while (frontier->heap_count > 0) {
        *waiting = heap_take(frontier);
        if (frontier->taken == 0 || waiting->depth != frontier->depth) {
            frontier->depth = waiting->depth;
            frontier->taken = 0;
        }
        if (frontier->taken++ < frontier->width)
            return true;
        frontier->count--;
    }
    return false;
}

void cs_frontier_add(struct cs_frontier *frontier, struct cs_waiting waiting, long long metric)
{
    size_t line = frontier->order == CS_ICB ? waiting.cost : 0, count = frontier->line_count;

    frontier->count++;
    if (frontier->order == CS_HEURISTIC || frontier->order == CS_BEAM) {
        heap_add(frontier, (struct cs_item){waiting, metric, frontier->ages++});
        return;
    }
    if (line >= count) {
        frontier->lines = larger(frontier->lines, (line + 1) * sizeof *frontier->lines);
        memset(frontier->lines + count, 0, (line + 1 - count) * sizeof *frontier->lines);
        frontier->line_count = line + 1;
    }
    line_add(&frontier->lines[line], waiting);
}

bool cs_frontier_take(struct cs_frontier *frontier, struct cs_waiting *waiting)
{
    struct cs_line *line;

    if (frontier->count == 0)
        return false;
    if (frontier->order == CS_BEAM && !take_from_beam(frontier, waiting))
        return false;
    frontier->count--;
    if (frontier->order == CS_BEAM)
        return true;
    if (frontier->order == CS_HEURISTIC) {
        *waiting = heap_take(frontier);
        return true;
    }
    while (frontier->lines[frontier->current].first == frontier->lines[frontier->current].end)
        frontier->current++;
    line = &frontier->lines[frontier->current];
    if (frontier->order == CS_BFS || frontier->order == CS_ICB) {
        *waiting = line->waiting[line->first++];
        return true;
    }
    if (frontier->order == CS_RANDOM) {
        size_t chosen = cs_random(&frontier->seed) % line->end;
        struct cs_waiting last = line->waiting[line->end - 1];
        line->waiting[line->end - 1] = line->waiting[chosen];
        line->waiting[chosen] = last;
    }
    *waiting = line->waiting[--line->end];
    return true;
}
