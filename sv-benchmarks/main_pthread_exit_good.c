/*
 * main ends by pthread_exit; the process goes on until its last thread ends.
 *
 * main sets the limit before it creates the thread that uses it.
 */
#include <assert.h>
#include <pthread.h>

int limit = 0;

void *worker(void *arg)
{
    int sum = 0;

    (void)arg;
    assert(limit == 2);
    for (int i = 0; i < limit; i++)
        sum += i;
    assert(sum == 1);
    return NULL;
}

int main(void)
{
    pthread_t t1;

    limit = 2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_exit(NULL);
}
