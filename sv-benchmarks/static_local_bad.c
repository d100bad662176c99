/*
 * Two threads run the same function with a scratch variable.
 *
 * The scratch variable is static: there is one for both threads.
 *
 *   t1: scratch = 1 | t2: scratch = 2 | t1: 2 is not 1
 */
#include <assert.h>
#include <pthread.h>

void *worker(void *arg)
{
    static int scratch;
    int me = (int)(long)arg;

    scratch = me;
    assert(scratch == me); // FAIL
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
