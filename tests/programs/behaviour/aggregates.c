/* Parts of structs that calls, choices and assignments give; arrays inside of structs; pointers chosen by conditions. */
#include "show.h"

struct vec { int a[3]; int n; };
struct pair { struct vec left, right; };
typedef struct { char tag; union { int i; float f; char text[8]; } u; } cell;

struct vec global = {{1, 2, 3}, 3};
struct pair pairs[2];
int x = 1, y = 2, calls;

static struct vec make(int base)
{
    struct vec v;

    for (int i = 0; i < 3; i++)
        v.a[i] = base + i;
    v.n = base;
    calls++;
    return v;
}

static struct vec twice(struct vec v)
{
    for (int i = 0; i < 3; i++)
        v.a[i] *= 2;
    return v;
}

static int sum(struct vec v)
{
    return v.a[0] + v.a[1] + v.a[2];
}

static struct vec *where(int how)
{
    calls++;
    return how ? &global : &pairs[1].left;
}

static cell letter(char c)
{
    cell l = {c, {.text = "abc"}};

    l.u.text[1] = c;
    return l;
}

int main(void)
{
    struct vec v = make(5), w, *p = &v;
    struct pair local;
    int i = 0;

    show(make(1).a[2]);
    show(twice(make(3)).a[1]);
    show(sum(twice(twice(make(1)))));
    show(sum((x ? v : global)));
    show((y > 5 ? v : global).a[1]);
    show((x ? &v : &global)->a[2]);
    w = pairs[0].left = global;
    show(sum(w) + sum(pairs[0].left));
    pairs[1] = pairs[0];
    pairs[1].right = *p;
    show(sum(pairs[1].right) * 100 + sum(pairs[1].left));
    local.left = pairs[1].right;
    local.right = (p->n = 9, *p);
    show(local.right.n + local.left.n);
    *(x ? &y : &x) = 7;
    show(y);
    (*(y == 7 ? &x : &y))++;
    show(x);
    where(1)->a[0] += 10;
    show(global.a[0]);
    where(0)->a[i++]++;
    show(pairs[1].left.a[0]);
    show(where(1)->a[where(0)->n - 1]);
    *where(0) = make(20);
    show(sum(pairs[1].left));
    show(calls);
    show(letter('x').u.text[1] + letter('y').tag);
    cell c = letter('q'), *pc = &c;
    pc->u.i = 0x41424344;
    show(c.u.text[0]);
    pc++->tag = 'z';
    show(c.tag + (pc - &c));
    struct { struct vec *p; int k; } refs[2] = {{&v, 1}, {&global, 2}};
    for (int k = 0; k < 2; k++)
        show(refs[k].p->a[refs[k].k]);
    refs[0] = refs[1];
    refs[0].p->a[refs[0].k]--;
    show(global.a[2]);
    v = twice(v), w = v;
    show(sum(w));
    return 0;
}
