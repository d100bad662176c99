/*
 * Threads that are created in a loop get a number each.
 *
 * They get the address of a number of their own.
 */
#include <pthread.h>
#include <stddef.h>

#define THREADS 2

static int squares[THREADS + 1];

static void *worker(void *arg)
{
    int number = *(int *)arg;

    if (number < THREADS)
        squares[number] = number * number;
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];
    int numbers[THREADS];
    int i;

    for (i = 0; i < THREADS; i++) {
        numbers[i] = i;
        pthread_create(&t[i], NULL, worker, &numbers[i]);
    }
    for (i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
