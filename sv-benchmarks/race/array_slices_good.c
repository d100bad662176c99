/*
 * Two threads fill an array, each its part: from `first`, up to `end`.
 *
 * The element at `end` is not filled.  Elements side by side are no race.
 */
#include <pthread.h>
#include <stddef.h>

struct part {
    int first;
    int end;
};

static short a[5];

static void *fill(void *arg)
{
    struct part part = *(struct part *)arg;

    for (int i = part.first; i < part.end; i++)
        a[i] = i;
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    struct part lower = {0, 2}, upper = {2, 4};

    pthread_create(&t1, NULL, fill, &lower);
    pthread_create(&t2, NULL, fill, &upper);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
