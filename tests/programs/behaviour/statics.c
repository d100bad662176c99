/* Static locals keep their values, per function and scope. */
#include "show.h"

static int next(void)
{
    static int count;
    static int step = 2, seen[3] = {1, [2] = 5};

    count += step;
    seen[count % 3]++;
    {
        static int count = 100;
        show(count++);
    }
    return count + seen[0] + seen[1] * 10 + seen[2] * 100;
}

static int *cell(int start)
{
    static int kept;
    static const char name[] = "cell";
    static int *last = &kept;

    if (start)
        kept = start;
    show(sizeof name + (last == &kept));
    return last;
}

static int recursive(int n)
{
    static int deepest;

    if (n > deepest)
        deepest = n;
    return n ? recursive(n - 1) + deepest : 0;
}

int main(void)
{
    for (int i = 0; i < 4; i++)
        show(next());
    *cell(4) += 3;
    show(*cell(0));
    show(recursive(3));
    show(recursive(1));
    for (int i = 0; i < 3; i++) {
        static int times = 1;
        times *= 2;
        show(times);
    }
    return 0;
}
