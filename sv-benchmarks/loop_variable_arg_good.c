/*
 * Threads are created in a loop; each one should get its own number.
 *
 * Every thread gets the address of its own array element.
 */
#include <assert.h>
#include <pthread.h>

#define N 2

int workers[N + 1]; /* how many threads believe to have this number */

void *worker(void *arg)
{
    int me = *(int *)arg;

    workers[me]++;
    assert(workers[me] == 1);
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    int number[N];
    int i;

    for (i = 0; i < N; i++) {
        number[i] = i;
        pthread_create(&t[i], NULL, worker, &number[i]);
    }
    for (int k = 0; k < N; k++)
        pthread_join(t[k], NULL);
    return 0;
}
