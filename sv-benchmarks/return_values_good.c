/*
 * Two threads draw a number each and hand it to main through join.
 *
 * The number is kept in a local.
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
    mine = last;
    pthread_mutex_unlock(&lock);
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
    assert((long)r1 + (long)r2 == 3);
    return 0;
}
