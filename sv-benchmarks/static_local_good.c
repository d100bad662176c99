/*
 * Two threads run the same function with a scratch variable.
 *
 * Each thread has a scratch variable of its own.
 */
#include <assert.h>
#include <pthread.h>

void *worker(void *arg)
{
    int scratch;
    int me = (int)(long)arg;

    scratch = me;
    assert(scratch == me);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, worker, (void *)1);
    pthread_create(&t2, NULL, worker, (void *)2);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
