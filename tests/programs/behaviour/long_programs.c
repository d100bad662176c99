/* A small sort, a sieve and a hash: programs rather than features. */
#include "show.h"

#define COUNT 6

int data[COUNT] = {5, 2, 9, 1, 7, 3};

static void sort(int *values, int count)
{
    for (int i = 1; i < count; i++) {
        int value = values[i], j = i;

        while (j > 0 && values[j - 1] > value) {
            values[j] = values[j - 1];
            j--;
        }
        values[j] = value;
    }
}

static unsigned hash(const char *text)
{
    unsigned h = 2166136261u;

    while (*text) {
        h ^= (unsigned char)*text++;
        h *= 16777619;
    }
    return h;
}

static int primes(void)
{
    char composite[12] = {0};
    int count = 0;

    for (int i = 2; i < 12; i++) {
        if (composite[i])
            continue;
        count++;
        for (int j = i * i; j < 12; j += i)
            composite[j] = 1;
    }
    return count;
}

static int gcd(int a, int b)
{
    while (b) {
        int r = a % b;

        a = b;
        b = r;
    }
    return a;
}

int main(void)
{
    sort(data, COUNT);
    for (int i = 0; i < COUNT; i++)
        show(data[i]);
    show(hash("hello"));
    show(primes());
    show(gcd(48, 36));
    return 0;
}
