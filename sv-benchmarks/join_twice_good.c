/*
 * main creates two workers and joins them.
 *
 * Each one is joined once.
 */
#include <pthread.h>

int result[2];

void *worker(void *arg)
{
    int *mine = arg;

    *mine = 1;
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    pthread_create(&t[0], NULL, worker, &result[0]);
    pthread_create(&t[1], NULL, worker, &result[1]);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
