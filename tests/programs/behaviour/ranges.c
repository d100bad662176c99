#include "show.h"
/* Ranges and other designators; other names of types. */
struct grid { int a[4]; struct { char c[3]; } rows[2]; };
static int calls;
static int next(void) { return ++calls; }
static int table[10] = {[1 ... 3] = 5, [7 ... 8] = -1, 9};
static struct grid fixed = {.a = {[0 ... 3] = 2}, .rows[0 ... 1].c[1] = 7};

int main(void)
{
    int i, local[6] = {[0 ... 3] = next(), [5] = 1};
    struct grid g = {.rows = {[0 ... 1] = {{[0 ... 2] = 4}}}, .a[2] = 3};
    _Float64 d = 1.5f64;
    _Float32 f = 2.25f32;
    __int128 wide = (__int128)1 << 100;
    unsigned __int128 more = wide + 5;

    for (i = 0; i < 10; i++)
        show(table[i]);
    for (i = 0; i < 6; i++)
        show(local[i]);
    show(fixed.a[3] + fixed.rows[0].c[1] * 10 + fixed.rows[1].c[1] * 100);
    show(g.rows[1].c[2] + g.a[2] + g.a[3]);
    show(calls);
    show(d * 4 + f * 4);
    show((long)(more >> 98) + (long)more);
    show(sizeof(_Float64x) + sizeof wide + __alignof__(more));
    show(({ int n[] = {[2] = 1, [0 ... 1] = 6}; n[1] + sizeof n; }));
    return 0;
}
