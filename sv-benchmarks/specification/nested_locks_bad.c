/*
 * Two threads call a recursive function, which takes a recursive mutex once more
 * in each activation.  Each activation adds one to `count` when the inner ones
 * have returned, but unlocks before that: the outermost one holds nothing then.
 *
 *   t1: unlocks for the last time, reads count | t2: reads count, stores |
 *   t1: stores
 */
#include <assert.h>
#include <pthread.h>

#ifndef DEPTH
#define DEPTH 3
#endif

pthread_mutex_t lock;
int count = 0;

void add(int depth)
{
    pthread_mutex_lock(&lock);
    if (depth > 1)
        add(depth - 1);
    pthread_mutex_unlock(&lock);
    count++;
}

void *adder(void *arg)
{
    (void)arg;
    add(DEPTH);
    return NULL;
}

int main(void)
{
    pthread_mutexattr_t recursive;
    pthread_t t1, t2;

    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &recursive);
    pthread_create(&t1, NULL, adder, NULL);
    pthread_create(&t2, NULL, adder, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(count == 2 * DEPTH); // FAIL
    return 0;
}
