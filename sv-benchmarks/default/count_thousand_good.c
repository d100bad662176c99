/*
 * Two threads count to a thousand each, in one counter.
 *
 * A lock makes reading and writing the counter one step.
 */
#include <assert.h>
#include <pthread.h>

#define ROUNDS 1000

int count;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *counter(void *arg)
{
    (void)arg;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        count = count + 1;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, counter, NULL);
    pthread_create(&t2, NULL, counter, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(count == 2 * ROUNDS);
    return 0;
}
