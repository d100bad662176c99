/*
 * A buffer with room for one item and two condition variables: one producer
 * of two items, two consumers of one item each.
 *
 * A consumer tests the buffer again after it was woken (while), since
 * somebody else may have been faster.
 */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
int items = 0;

void *producer(void *arg)
{
    (void)arg;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        while (items == 1)
            pthread_cond_wait(&not_full, &lock);
        items++;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

void *consumer(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    while (items == 0)
        pthread_cond_wait(&not_empty, &lock);
    assert(items == 1);
    items--;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t c1, p, c2;

    pthread_create(&c1, NULL, consumer, NULL);
    pthread_create(&p, NULL, producer, NULL);
    pthread_create(&c2, NULL, consumer, NULL);
    pthread_join(c1, NULL);
    pthread_join(p, NULL);
    pthread_join(c2, NULL);
    return 0;
}
