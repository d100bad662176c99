/* Pointers: arithmetic, comparison, to pointers, to members, linked lists, void pointers. */
#include "show.h"

struct node { int value; struct node *next; };

struct node nodes[4];
int values[5] = {1, 2, 3, 4, 5};
int *cursor = values;

static struct node *push(struct node *list, struct node *node, int value)
{
    node->value = value;
    node->next = list;
    return node;
}

static int walk(const struct node *list)
{
    int sum = 0;

    for (; list; list = list->next)
        sum = sum * 10 + list->value;
    return sum;
}

static struct node *reverse(struct node *list)
{
    struct node *before = 0;

    while (list) {
        struct node *next = list->next;
        list->next = before;
        before = list, list = next;
    }
    return before;
}

static void set(void *where, int value)
{
    *(int *)where = value;
}

int main(void)
{
    struct node *list = 0, **tail = &list;
    int x = 5, *p = &x, **pp = &p, *end = values + 5;
    const int *const fixed = values;
    void *any = &x;
    char *bytes = (char *)&x;

    for (int i = 0; i < 4; i++)
        list = push(list, &nodes[i], i + 1);
    show(walk(list));
    list = reverse(list);
    show(walk(list));
    show(list->next->next->value + (*(*list).next).value);
    while (*tail)
        if ((*tail)->value % 2)
            *tail = (*tail)->next;
        else
            tail = &(*tail)->next;
    show(walk(list));
    **pp = 6;
    *pp = values;
    show(x + *p + p[2] + *(p + 1) + 3[p]);
    show(end - p);
    show(p < end && p == fixed && p != end);
    show(*cursor++);
    show(*cursor++ * 10);
    show(*--cursor);
    cursor += 2, cursor -= 1;
    show(*cursor);
    set(&x, 300);
    show(*(int *)any + bytes[0]);
    set(any = &values[2], 77);
    show(values[2] + !any + !!p);
    show(p ? *p : -1);
    p = 0;
    show(p ? *p : -1);
    show((p = values + 1) && *p == 2);
    return 0;
}
