/*
 * Threads are created in a loop; each one should get its own number.
 *
 * Every thread gets the address of the loop variable, and reads it when main
 * has long counted on.
 *
 *   main: creates t1, i = 1, creates t2 | t1: I am 1 | t2: I am 1, too
 */
#include <assert.h>
#include <pthread.h>

#define N 2

int workers[N + 1]; /* how many threads believe to have this number */

void *worker(void *arg)
{
    int me = *(int *)arg;

    workers[me]++;
    assert(workers[me] == 1); // FAIL
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    int i;

    for (i = 0; i < N; i++)
        pthread_create(&t[i], NULL, worker, &i);
    for (int k = 0; k < N; k++)
        pthread_join(t[k], NULL);
    return 0;
}
