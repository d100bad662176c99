/* Calls through pointers: variables, tables, members, parameters; functions with the same type and others. */
#include "show.h"

typedef int operation(int, int);
typedef int amount;
struct rule { const char *name; operation *apply; void (*log)(amount *); };

static int add(int a, int b)
{
    return a + b;
}

static int subtract(const int a, const int b)
{
    return a - b;
}

static int both(signed a, int unused)
{
    return a * 2;
}

static void note(int *value)
{
    show(++*value);
}

static unsigned wide(unsigned int a, long int b)
{
    return a + b;
}

static int none(void)
{
    return 77;
}

static int other()
{
    return 78;
}

static operation *choose(int how)
{
    return how ? &add : subtract;
}

static int apply(int (*what)(int first, int second), int a, int b)
{
    return what(a, b);
}

static int twice(int (*what)(int (*)(int, int), int, int), operation *inner, int a)
{
    return what(inner, a, what(inner, a, a));
}

int main(void)
{
    int (*table[3])(int, int) = {add, subtract, both};
    struct rule rule = {"x", add, note};
    struct rule *where = &rule;
    operation *current = subtract;
    unsigned (*w)(unsigned, long) = wide;
    int (*n)(void) = none, (*o)() = other;
    int value = 5;

    for (int i = 0; i < 3; i++)
        show(table[i](10, 3));
    show(rule.apply(1, 2));
    rule.log(&value);
    where->log(&value);
    show((*where->apply)(3, 4));
    show(current(9, 4));
    current = choose(1);
    show((***current)(9, 4));
    show(choose(0)(9, 4));
    operation **place = &current, **row = table;
    show((*place)(9, 4));
    show((***place)(9, 4));
    show((*(row + 1))(9, 4));
    show((*table)(9, 4));
    show(apply(both, 6, 0));
    show(apply(current == add ? subtract : add, 6, 1));
    show(twice(apply, add, 3));
    show(w(1, 2));
    show(n());
    show(o());
    o = none;
    show(o());
    show(current != 0 && current != subtract);
    return 0;
}
