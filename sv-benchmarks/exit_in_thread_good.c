/*
 * A watchdog looks at a level that another thread sets.
 *
 * It reports a level that is too high and ends the process.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

int level = 0;

void *setter(void *arg)
{
    (void)arg;
    level = 9;
    return NULL;
}

void *watchdog(void *arg)
{
    int seen = level;

    (void)arg;
    if (seen > 5) {
        printf("too high: %d\n", seen);
        exit(1);
    }
    assert(seen <= 5);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, setter, NULL);
    pthread_create(&t2, NULL, watchdog, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
