/* Odd, but C. */
#include "show.h"

typedef int number, *pointer, row[2];
typedef struct tree { struct tree *child[2]; int key; } tree;

int (*chooser(int how))(int, int);
static tree nodes[5];
number zero, one = 1;
pointer to_one = &one;
row rows[2] = {{1, 2}, {3, 4}};
int *table[] = {&zero, &one, rows[1], &rows[0][1], 0};
struct { int : 4; unsigned a : 5, : 0, b : 7; } bits = {17, 100};
extern int later;

static int less(int a, int b) { return a < b; }
static int more(int a, int b) { return a > b; }

int (*chooser(int how))(int, int)
{
    return how ? more : less;
}

static tree *insert(tree *t, tree *n)
{
    tree **place = &t;

    while (*place)
        place = &(*place)->child[n->key > (*place)->key];
    *place = n;
    return t;
}

static int depth(const tree *t)
{
    int l, r;

    return t ? (l = depth(t->child[0]), r = depth(t->child[1]), 1 + (l > r ? l : r)) : 0;
}

static int walk(const tree *t, int sum)
{
    if (!t)
        return sum;
    sum = walk(t->child[0], sum);
    sum = sum * 10 + t->key;
    return walk(t->child[1], sum);
}

static void nothing(void)
{
}

static int many(int a, char b, short c, long d, unsigned e, _Bool f, double g, int *h)
{
    return a + b + c + d + e + f + g + *h;
}

int main(void)
{
    tree *root = 0;
    number keys[] = {3, 1, 4, 2, 5}, count = sizeof keys / sizeof *keys, i;

    for (i = 0; i < count; i++)
        nodes[i].key = keys[i], root = insert(root, nodes + i);
    show(walk(root, 0));
    show(depth(root));
    show(chooser(0)(1, 2) + chooser(1)(1, 2) * 2 + (*chooser(one))(3, 2) * 4);
    show(*table[1] + *table[2] * 10 + *table[3] * 100);
    show(table[4] == 0);
    show(bits.a + bits.b * 100);
    bits.b += 60, bits.a -= 18;
    show(bits.a + bits.b * 100);
    show(later++ + sizeof later);
    show(later);
    show(many(1, 'a', 3, 4, 5, 6, 7.9, to_one));
    nothing(), show(sizeof(row) + sizeof rows / sizeof(row));
    show((i = 3) + (one ? -i : +i));
    show(!!i - !zero - -1);
    show(i-- - --one);
    show((0, i) ? (i, 5) : 6);
    if (i == 2) if (zero) show(1); else show(2);
    {
        number number = 5;
        show(number);
        { typedef char number; show(sizeof(number)); }
    }
    for (struct { int a, b; } s = {0, 3}; s.a < s.b; s.a++, s.b--)
        show(s.a * 10 + s.b);
    switch (i) { int unused; default: case 7: show(7); break; case 8: show(8); }
    do { if (i) continue; show(99); } while (i-- > 0 && i);
    while (one-- > -2) { if (one == -1) break; show(one); }
    i = 0;
    again: if (i++ < 0) goto end;
    show(i);
    end: ;
    return 0;
}

int later = 40;
