/* Jumps backwards and into loops: over each other, out of branches, through several heads; locals on the way. */
#include "show.h"

static int fuel;

static int retry(int tries)
{
    int n = 0;

again:
    n++;
    if (n < tries)
        goto again;
    return n;
}

static int crossing(int a, int b)
{
first:
    show(a);
    if (fuel-- < 1)
        return a;
second:
    show(b);
    if (a++ < 1)
        goto first;
    if (fuel-- < 1)
        return b;
    if (b++ < 2)
        goto second;
    return a * 10 + b;
}

static int inside(int how)
{
    int i = 1, j = 0, sum = 0;

    switch (how) {
    case 0:
        goto outer;
    case 1:
        goto inner;
    case 2:
        goto both;
    }
    for (i = 0; i < 2; i++) {
outer:
        sum += 100;
        for (j = 0; j < 2; j++) {
inner:
            sum += 10;
            if (how == 3 && j == 1) {
                how = 4;
                goto outer;
            }
        }
both:
        sum++;
    }
    return sum;
}

static int branches(int c)
{
    int n = 0;

    if (c) {
        n += 1;
back:
        n += 10;
        if (n > 30)
            goto out;
    } else {
        n += 100;
    }
    if (n < 30)
        goto back;
    if (c)
        if (n > 50)
before:
            n += 1000;
        else {
            c = 0;
            goto before;
        }
out:
    return n;
}

static int locals(int n)
{
    int rounds = 0;

    {
again:
        if (rounds)
            goto behind;
        int kept = 7;
behind:;
        int fresh = kept + rounds;
        show(fresh);
        kept++;
        if (rounds++ < n)
            goto again;
    }
    return rounds;
}

static int adjacent(int n)
{
    goto b;
a: b: c:
    if (n-- > 4)
        goto a;
    if (n > 2)
        goto c;
    if (n > 1)
        goto b;
    {
        d: ;
    }
    if (n-- > 0)
        goto d;
    return n;
}

int main(void)
{
    show(retry(4));
    fuel = 4;
    show(crossing(0, 0));
    fuel = 2;
    show(crossing(-1, 1));
    for (int how = 0; how < 4; how++)
        show(inside(how));
    show(branches(0));
    show(branches(1));
    show(locals(2));
    show(adjacent(6));
    return 0;
}
