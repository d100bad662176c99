/* Functions that call themselves and each other; each activation has locals of its own. */
#include "show.h"

static int depth;

static int factorial(int n)
{
    return n < 2 ? 1 : n * factorial(n - 1);
}

static int fibonacci(int n)
{
    int first, second;

    if (n < 2)
        return n;
    first = fibonacci(n - 1);
    second = fibonacci(n - 2);
    return first + second;
}

static int odd(int n);

static int even(int n)
{
    depth++;
    return n == 0 || odd(n - 1);
}

static int odd(int n)
{
    int kept = n;
    int answer = n != 0 && even(n - 1);

    show(kept);
    return answer;
}

static int sum(int *values, int count)
{
    int last;

    if (count == 0)
        return 0;
    last = values[count - 1];
    return sum(values, count - 1) + last;
}

static void countdown(int *n)
{
    int mine = *n;

    if (mine > 0) {
        --*n;
        countdown(n);
        mine -= 5;
    }
    if (mine != *n)
        show(mine * 10 + *n);
}

static int ackermann(int m, int n)
{
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

int main(void)
{
    int values[4] = {4, 8, 15, 16};
    int two = 1;

    show(factorial(5));
    show(fibonacci(4));
    show(even(4));
    show(odd(3));
    show(depth);
    show(sum(values, 4));
    show(ackermann(1, 1));
    countdown(&two);
    show(two);
    return 0;
}
