/*
 * As many workers as the first argument says, three without one.
 *
 * The array has room for four workers, and nobody looks at the argument.
 *
 *   main: the argument is 5 or more | main: creates the fifth
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define MOST 4

int results[MOST];

void *worker(void *arg)
{
    long number = (long)arg;

    assert(number < MOST); // FAIL
    results[number] = 1;
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[2 * MOST];
    int workers = argc > 1 ? atoi(argv[1]) : 3;

    if (workers > 2 * MOST)
        workers = 2 * MOST;
    for (long i = 0; i < workers; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < workers; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
