/*
 * main creates two workers and joins them.
 *
 * A slip of the pen: the first worker is joined twice.  Joining a thread that
 * has been joined already is an error, there is nothing left to join.
 *
 *   main: creates t1 and t2 | t1: ends | main: joins t1, joins t1 again
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
    pthread_join(t[0], NULL); // FAIL
    return 0;
}
