/* Allocation from a pool, lists of lists, pointers to pointers, callbacks with state. */
#include "show.h"

#define POOL 8

struct item { struct item *next; int key; struct item *sub; };

static struct item pool[POOL], *free_list;
static int allocated;

static void init(void)
{
    for (int i = POOL - 1; i >= 0; i--) {
        pool[i].next = free_list;
        free_list = &pool[i];
    }
}

static struct item *take(int key)
{
    struct item *item = free_list;

    if (!item || allocated >= 6)
        return 0;
    free_list = item->next;
    *item = (struct item){.key = key};
    allocated++;
    return item;
}

static void give(struct item **place)
{
    struct item *item = *place;

    if (!item)
        return;
    *place = item->next;
    item->next = free_list, free_list = item;
    allocated--;
}

static int each(const struct item *list, int (*visit)(const struct item *, void *), void *state)
{
    int stop = 0;

    for (const struct item *at = list; at && !stop; at = at->next) {
        stop = visit(at, state);
        if (at->sub && !stop)
            stop = each(at->sub, visit, state);
    }
    return stop;
}

static int add(const struct item *item, void *state)
{
    *(int *)state += item->key;
    return 0;
}

struct search { int wanted, seen; };

static int look(const struct item *item, void *state)
{
    struct search *s = state;

    s->seen++;
    return item->key == s->wanted;
}

int main(void)
{
    struct item *list = 0, **end = &list;
    int sum = 0;
    struct search search = {.wanted = 2};

    init();
    for (int i = 1; i <= 4 && (*end = take(i)); i++)
        end = &(*end)->next;
    list->next->sub = take(20);
    list->next->sub->next = take(30);
    show(take(1) == 0);
    each(list, add, &sum);
    show(sum);
    show(each(list, look, &search) * 10 + search.seen);
    search.wanted = 77;
    show(each(list, look, &search) * 10 + search.seen);
    give(&list);
    give(&list->sub);
    give(&list->next);
    show(allocated);
    show(list->key * 100 + list->sub->key);
    show(list->next->key);
    show(free_list - pool);
    sum = 0;
    each(list, add, &sum);
    show(sum);
    return 0;
}
