/* What GNU C adds to expressions: blocks, typeof, conditionals without a middle. */
#include "show.h"

#define MAX(a, b) ({ typeof(a) a_ = (a); typeof(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define SWAP(a, b) do { __auto_type t_ = (a); (a) = (b); (b) = t_; } while (0)

struct point { int x, y; };
static int calls;
static typeof(int (*)(int)) handler;

static int next(void)
{
    return ++calls;
}

static int twice(int n)
{
    return 2 * n;
}

static int search(int *a, int n, int wanted)
{
    return ({ int found = -1, i; for (i = 0; i < n; i++) { if (a[i] == wanted) { found = i; break; } } found; });
}

static int leaves(int n)
{
    int r = n + ({ if (n > 2) return 100; n * 2; });

    while (({ int left = n--; left > 0; }))
        r += ({ if (n == 1) continue; if (n == 9) break; 1; });
    return r;
}

int main(void)
{
    int a[] = {3, 1, 4, 1, 5}, i, *p = a;
    typeof(a) copy;
    typeof(*p) one = 7;
    __typeof__(struct point) pt = {1, 2};
    typeof(pt) *pp = &pt;
    const typeof(one) fixed = 3;
    __auto_type wide = 1ul << 40;

    handler = twice;
    show(MAX(3, MAX(5, 4)));
    show(MAX(next(), 1) + calls);
    show(({ int i = 5; i + 1; }) + ({ int i = 6; i * 10; }));
    SWAP(a[0], a[4]);
    show(a[0] * 10 + a[4]);
    show(search(a, 5, 4));
    show(search(a, 5, 9));
    show(leaves(1));
    show(leaves(2));
    show(leaves(3));
    show(next() ?: 50);
    show((calls - calls) ?: next());
    show(0 ?: 5);
    show(1 ? 4 : ({ next(); }));
    show(0 && ({ next(); 1; }));
    show(1 || ({ next(); 1; }));
    show(1 && ({ next(); }));
    for (i = 0; ({ i < 3; }); i += ({ int s = 2; s; }))
        show(i);
    ({ next(); });
    (void)({ next(); 5; });
    if (({ int k = next(); k > 100; }))
        show(-1);
    else
        show(calls);
    copy[4] = 8;
    show(sizeof copy + copy[4] + one + pp->y + fixed + (wide >> 38));
    show(({ struct point q = {next(), 9}; q; }).y);
    show(({ struct point q = pt; q.x = 4; q; }).x + pt.x);
    show(handler(({ int v = 4; switch (v) { case 4: v = 40; break; default: v = 0; } v; })));
    show(({ goto skip; next(); skip: 6; }));
    p = ({ a; });
    show(p[1]);
    show(sizeof(({ char c = 1; c; })));
    show(calls);
    return 0;
}
