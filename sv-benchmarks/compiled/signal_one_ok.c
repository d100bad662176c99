/* A producer and two consumers of a buffer with one place wait at one condition variable, and broadcast. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full;

static void set(int value)
{
    pthread_mutex_lock(&lock);
    while (full == value)
        pthread_cond_wait(&changed, &lock);
    full = value;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void *producer(void *arg)
{
    (void)arg;
    set(1);
    set(1);
    return NULL;
}

static void *consumer(void *arg)
{
    (void)arg;
    set(0);
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, consumer, NULL);
    pthread_create(&t[1], NULL, consumer, NULL);
    pthread_create(&t[2], NULL, producer, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(full == 0);
    return 0;
}
