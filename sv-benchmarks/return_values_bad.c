/*
 * Two threads draw a number each and hand it to main through join.
 *
 * The number is read once more after the lock was released.
 *
 *   t1: draws 1, unlocks | t2: draws 2, returns 2 | t1: returns 2
 *   | main: 2 and 2 are not 1 and 2
 */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
long last = 0;

void *draw(void *arg)
{
    long mine;

    pthread_mutex_lock(&lock);
    last++;
    pthread_mutex_unlock(&lock);
    mine = last;
    if (arg != NULL)
        pthread_exit((void *)mine);
    return (void *)mine;
}

int main(void)
{
    pthread_t t1, t2;
    void *r1, *r2;

    pthread_create(&t1, NULL, draw, NULL);
    pthread_create(&t2, NULL, draw, &last);
    pthread_join(t1, &r1);
    pthread_join(t2, &r2);
    assert((long)r1 + (long)r2 == 3); // FAIL
    return 0;
}
