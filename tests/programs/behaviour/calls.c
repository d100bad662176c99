/* Calls as arguments, in conditions and in assignments; parameters are copies; returns from the middle. */
#include "show.h"

int shared = 1;

static int add(int a, int b)
{
    a += b;
    return a;
}

static char narrow(int value)
{
    return value;
}

static unsigned char tight(unsigned char value)
{
    value++;
    return value;
}

static int early(int n)
{
    while (n < 100) {
        if (n % 7 == 0)
            return n;
        for (int i = 0; i < 3; i++) {
            if (n == 50 + i)
                return -i;
            n++;
        }
    }
    return 1000;
}

static void swap(int *a, int *b)
{
    int kept = *a;

    *a = *b;
    *b = kept;
    if (kept > 5)
        return;
    show(kept);
}

static int bump(void)
{
    return shared++;
}

static long twice(long value)
{
    return value * 2;
}

static int last(const int values[3])
{
    return values[2];
}

int main(void)
{
    int x = 3, y = 9;
    int values[3] = {1, 2, 3};

    show(add(x, y));
    show(x);
    show(add(add(1, 2), add(add(3, 4), x)));
    show(narrow(300));
    show(narrow(-1) < 0);
    show(tight(255));
    show(tight(511));
    show(early(8));
    show(early(50));
    show(early(99));
    swap(&x, &y);
    swap(&values[0], values + 2);
    show(x * 10 + y);
    show(values[0]);
    show(last(values));
    show(bump() + 10);
    x = bump();
    values[bump()] = 5;
    show(shared);
    if (bump() == 4 && add(bump(), 0) == 5)
        show(shared);
    while (bump() < 9)
        show(shared);
    x = twice(add(x, 1000000000)) > 0;
    show(x);
    (void)bump();
    show(shared), show(twice(twice(shared)));
    show(x ? bump() : add(1, 1));
    return 0;
}
