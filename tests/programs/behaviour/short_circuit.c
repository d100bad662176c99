/* && and || and ?: evaluate the right operand only when its turn comes. */
#include "show.h"

int shared, zero, calls;
int *nowhere;

static int yes(void)
{
    calls++;
    return 2;
}

static int no(void)
{
    calls += 10;
    return 0;
}

int main(void)
{
    int x = 0, y = 5;

    show(yes() && no());
    show(calls);
    show(no() && yes());
    show(calls);
    show(no() || yes());
    show(yes() || no());
    show(calls);
    show(nowhere && *nowhere);
    show(!nowhere || *nowhere);
    show(zero && 1 / zero);
    show(zero ? y / zero : y);
    show(x++ || x++ || x++);
    show(x);
    show(y-- && --y && shared++);
    show(y * 10 + shared);
    show((yes() ? no() : yes()) ? shared++ : ++shared);
    show(shared);
    show(yes() && (shared = 7, no()) || shared++ == 7 && !(shared = 0));
    show(shared);
    zero || calls++;
    zero && calls++;
    zero ? x++ : y++;
    show(calls + x * 10 + y * 100);
    if (shared == 0 && (shared = 4) && shared++ == 4)
        show(shared);
    while (x < 6 && (yes(), x++) && !(x == 5 && zero++))
        show(x);
    show(zero);
    show(x > 3 ? y > 3 ? 1 : 2 : 3);
    return 0;
}
