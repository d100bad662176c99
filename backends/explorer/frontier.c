/* The five orders. With iterative context bounding, states that cost one preemption more wait until all others are
 * done. */

#include "frontier.h"

#include <stdlib.h>
#include <string.h>

struct item {
    struct cs_waiting waiting;
    long long metric;
    uint64_t age;
};

static enum cs_order order;
static uint64_t seed, ages, total;

/* Without the heuristic: the states that wait from first to end - 1. */
static struct line {
    struct cs_waiting *waiting;
    size_t first, end, room;
} *lines; /* by cost, only one without iterative context bounding */
static size_t line_count, current;

static struct item *heap;
static size_t heap_count, heap_room;

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

void cs_frontier_begin(enum cs_order how, uint64_t random_seed)
{
    order = how;
    seed = random_seed;
}

uint64_t cs_frontier_count(void) { return total; }

size_t cs_frontier_memory(void)
{
    size_t memory = heap_room * sizeof *heap;

    for (size_t i = 0; i < line_count; i++)
        memory += lines[i].room * sizeof *lines[i].waiting;
    return memory;
}

static void line_add(struct line *line, struct cs_waiting waiting)
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

static bool comes_first(const struct item *one, const struct item *other)
{
    return one->metric != other->metric ? one->metric > other->metric : one->age < other->age;
}

static void heap_add(struct item item)
{
    size_t at = heap_count++;

    if (heap_count > heap_room) {
        heap_room = heap_room * 2 + 1024;
        heap = larger(heap, heap_room * sizeof *heap);
    }
    for (; at > 0 && comes_first(&item, &heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = item;
}

static struct cs_waiting heap_take(void)
{
    struct cs_waiting top = heap[0].waiting;
    struct item item = heap[--heap_count];
    size_t at = 0, child;

    while ((child = at * 2 + 1) < heap_count) {
        if (child + 1 < heap_count && comes_first(&heap[child + 1], &heap[child]))
            child++;
        if (!comes_first(&heap[child], &item))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = item;
    return top;
}

void cs_frontier_add(struct cs_waiting waiting, long long metric)
{
    size_t line = order == CS_ICB ? waiting.cost : 0;

    total++;
    if (order == CS_HEURISTIC) {
        heap_add((struct item){waiting, metric, ages++});
        return;
    }
    if (line >= line_count) {
        lines = larger(lines, (line + 1) * sizeof *lines);
        memset(lines + line_count, 0, (line + 1 - line_count) * sizeof *lines);
        line_count = line + 1;
    }
    line_add(&lines[line], waiting);
}

bool cs_frontier_take(struct cs_waiting *waiting)
{
    struct line *line;

    if (total == 0)
        return false;
    total--;
    if (order == CS_HEURISTIC) {
        *waiting = heap_take();
        return true;
    }
    while (lines[current].first == lines[current].end)
        current++;
    line = &lines[current];
    if (order == CS_BFS || order == CS_ICB) {
        *waiting = line->waiting[line->first++];
        return true;
    }
    if (order == CS_RANDOM) {
        size_t chosen = cs_random(&seed) % line->end;
        struct cs_waiting last = line->waiting[line->end - 1];
        line->waiting[line->end - 1] = line->waiting[chosen];
        line->waiting[chosen] = last;
    }
    *waiting = line->waiting[--line->end];
    return true;
}
