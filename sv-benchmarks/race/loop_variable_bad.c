/*
 * Threads that are created in a loop get a number each.
 *
 * They get the address of the loop's variable, which goes on counting, so
 * that both may even get the same number.
 *
 *   t1: is about to read its number | main: is about to increment it
 */
#include <pthread.h>
#include <stddef.h>

#define THREADS 2

static int squares[THREADS + 1];

static void *worker(void *arg)
{
    int number = *(int *)arg; // RACE

    if (number < THREADS)
        squares[number] = number * number; // RACE
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];
    int i;

    for (i = 0; i < THREADS; i++) // RACE
        pthread_create(&t[i], NULL, worker, &i);
    for (i = 0; i < THREADS; i++) // RACE
        pthread_join(t[i], NULL);
    return 0;
}
