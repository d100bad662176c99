/*
 * Two threads count ticks in an unsigned long, just below two to the 32nd.
 *
 * Under LP64 an unsigned long has 64 bits and does not wrap around here.
 * (The twin is the same program under ILP32.)
 */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
unsigned long ticks = 0xfffffffeUL;

void *tick(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    ticks++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, tick, NULL);
    pthread_create(&t2, NULL, tick, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(ticks != 0);
    return 0;
}
