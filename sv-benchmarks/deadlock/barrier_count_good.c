/*
 * Two workers meet at a barrier between the two halves of their work.
 *
 * The barrier is for two.
 */
#include <pthread.h>

#define WORKERS 2

pthread_barrier_t halfway;
int part[WORKERS], sum[WORKERS];

void *worker(void *arg)
{
    int me = (int)(long)arg;

    part[me] = me + 1;
    pthread_barrier_wait(&halfway);
    sum[me] = part[0] + part[1];
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_barrier_init(&halfway, NULL, WORKERS);
    pthread_create(&t1, NULL, worker, (void *)0);
    pthread_create(&t2, NULL, worker, (void *)1);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
