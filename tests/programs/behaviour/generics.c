/* Types that choose: _Generic, static assertions, alignment. */
#include "show.h"

struct s { int a; _Static_assert(sizeof(int) == 4, "int"); char b; };
enum shade { DARK, LIGHT };
typedef int number;
typedef const char *text;
static int calls;

static int side(void)
{
    return ++calls;
}

#define KIND(x) _Generic((x), char: 1, signed char: 2, unsigned char: 3, short: 4, int: 5, unsigned: 6, long: 7, \
    unsigned long: 8, float: 9, double: 10, long double: 11, char *: 12, const char *: 13, int *: 14, struct s: 15, \
    struct s *: 16, void *: 17, int (*)(void): 18, int (*)[3]: 19, const int *: 20, default: 0)

int main(void)
{
    char c = 1;
    const int fixed = 2;
    int row[2][3];
    struct s s = {1, 2};
    enum shade shade = LIGHT;
    number n = 3;
    text t = "x";
    _Alignas(16) char aligned[3];
    _Static_assert(sizeof row == 24, "row");

    show(KIND(c) * 100 + KIND(+c));
    show(KIND('a') * 100 + KIND("a"));
    show(KIND(fixed) * 100 + KIND(&fixed));
    show(KIND(row) * 100 + KIND(row[1]));
    show(KIND(s) * 100 + KIND(&s));
    show(KIND(shade) * 100 + KIND(DARK));
    show(KIND(n) * 100 + KIND(t));
    show(KIND(1.0f) * 10000 + KIND(1.0) * 100 + KIND(1.0L));
    show(KIND(sizeof 1) * 100 + KIND(1l));
    show(KIND(side) * 100 + KIND(side()));
    show(KIND((void *)0) * 100 + KIND((short)1));
    show(KIND(c ? 1 : 2u) * 100 + KIND(c << 1l));
    show(_Generic(s.b, int: 1, char: side() + 10, default: side() + 20));
    show(_Generic(0 ? side() : 1, default: 9));
    show(sizeof aligned + calls);
    return 0;
}
