/*
 * Order violation: a worker uses a table that main prepares.
 *
 * main creates the worker first and sets the table afterwards.
 *
 *   main: creates t1 | t1: the table is still missing
 */
#include <assert.h>
#include <pthread.h>

int storage[2];
int *table = NULL;

void *worker(void *arg)
{
    (void)arg;
    assert(table != NULL); // FAIL
    table[1] = 1;
    return NULL;
}

int main(void)
{
    pthread_t t1;

    pthread_create(&t1, NULL, worker, NULL);
    table = storage;
    pthread_join(t1, NULL);
    return 0;
}
