/*
 * A consumer spins until a flag is raised and then uses the data.
 *
 * The producer raises the flag before it stores the data.
 *
 *   t1: raises the flag | t2: stops spinning, the data are not there
 */
#include <assert.h>
#include <pthread.h>

int flag = 0;
int data = 0;

void *producer(void *arg)
{
    (void)arg;
    flag = 1;
    data = 42;
    return NULL;
}

void *consumer(void *arg)
{
    (void)arg;
    while (flag == 0)
        ;
    assert(data == 42); // FAIL
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, producer, NULL);
    pthread_create(&t2, NULL, consumer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
