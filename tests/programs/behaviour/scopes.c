/* Names that mean different things in different places. */
#include "show.h"

int x = 1;
typedef int number;
struct thing { int size; };
enum { LIMIT = 4 };

static int f(int x)
{
    show(x);
    {
        int x = 3;
        show(x);
        {
            int y = x, x = 4;
            show(x * 10 + y);
        }
        show(x);
    }
    return x + 1;
}

static int types(void)
{
    typedef long number;
    struct thing { char small[3]; } inner = {{7, 8, 9}};
    enum { LIMIT = 40, MORE };
    number n = sizeof(number);

    {
        typedef char number;
        number m = 300;
        show(m);
        show(sizeof(number));
    }
    {
        int number = 12;
        show(number + sizeof number);
    }
    show(LIMIT + MORE);
    show(sizeof inner + sizeof(struct thing));
    show(inner.small[2]);
    return n;
}

int main(void)
{
    number n = f(x) + f(20);
    struct thing thing = {LIMIT};

    show(f(x = 20) + n);
    show(x);
    for (int x = 0; x < 2; x++) {
        int n = x + 100;
        show(n);
        for (int n = 0, x = 5; n < 2; n++)
            show(n + x);
    }
    show(types());
    show(thing.size + sizeof thing);
    if (x) {
        int x = 2;
        n += x;
    } else {
        int x = 3;
        n -= x;
    }
    show(n);
    {
        extern int x;
        show(x);
    }
    int late = 3, *pointer = &late, array[2] = {late, *pointer + 1};
    show(array[1]);
    return 0;
}
