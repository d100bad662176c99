/* Qualified objects and types: what cannot be assigned to has a value all the same. */
#include "show.h"

typedef const int fixed;
typedef const struct { int a, b; } pair;
typedef volatile int port;

const int limit = 3;
fixed other = 4;
volatile int device = 5;
fixed *where = &other;

static int take(fixed a, const int b, pair p)
{
    fixed sum = a + b;
    const int twice = sum * 2;

    return twice + p.b;
}

int main(void)
{
    fixed local = limit + 1;
    const char *const text = "ab";
    fixed table[2] = {local, other};
    pair p = {local, 6};
    port x = device;

    for (int i = 0; i < limit; i++) {
        fixed square = i * i;
        show(square);
    }
    show(local + table[1] + text[1] + p.a * 10);
    show(take(1, 2, p));
    show(x + *where + device++);
    show(*where + device + (device ? *where : limit));
    return 0;
}
