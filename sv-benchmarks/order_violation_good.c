/*
 * Order violation: a worker uses a table that main prepares.
 *
 * main sets the table first and creates the worker afterwards.
 */
#include <assert.h>
#include <pthread.h>

int storage[2];
int *table = NULL;

void *worker(void *arg)
{
    (void)arg;
    assert(table != NULL);
    table[1] = 1;
    return NULL;
}

int main(void)
{
    pthread_t t1;

    table = storage;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_join(t1, NULL);
    return 0;
}
