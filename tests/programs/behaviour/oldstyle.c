/* C as it was, and declarations that say little. */
#include "show.h"

int plain();
int same;
int same = 4;
extern int same;
static int twice[];
static int twice[2];
int undeclared_length[];

int sum(a, b, c)
    int a;
    char b;
    float c;
{
    return a + b + (int)(2 * c);
}

int rows(table, n)
    int table[][2], n;
{
    n += table[1][1];
    return n;
}

static int (*pick(which))()
    int which;
{
    extern int same;

    return which + same ? plain : 0;
}

static inline int doubled(register int x) { return 2 * x; }
extern inline int tripled(auto_) int auto_; { return 3 * auto_; }
static inline _Noreturn void never(void) { while (1) ; }

int main()
{
    int table[2][2] = {{1, 2}, {3, 4}};
    register int r = 1;
    auto int a = 2;

    show(sum(1, 300, 1.5));
    show(sum(1, 'a', 2.25f));
    show(rows(table, r + a));
    show(plain(3));
    show((*pick(1))(5));
    show(doubled(4) + tripled(5));
    show(same + twice[1] + undeclared_length[0]);
    {
        int plain = 6;
        int same = plain + 1;

        show(same);
    }
    return 0;
}

int plain(x)
    int x;
{
    return x + 1;
}
