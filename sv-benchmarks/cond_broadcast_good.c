/*
 * Two takers wait for an item.  The supplier brings one and wakes them both.
 *
 * A taker tests again after it was woken.
 */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock;
pthread_cond_t supplied;
int items = 0;

void *taker(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    while (items == 0)
        pthread_cond_wait(&supplied, &lock);
    assert(items > 0);
    items--;
    pthread_mutex_unlock(&lock);
    return NULL;
}

void *supplier(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    items = 1;
    pthread_cond_broadcast(&supplied);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2, t3;

    pthread_mutex_init(&lock, NULL);
    pthread_cond_init(&supplied, NULL);
    pthread_create(&t1, NULL, taker, NULL);
    pthread_create(&t2, NULL, taker, NULL);
    pthread_create(&t3, NULL, supplier, NULL);
    pthread_join(t3, NULL); /* one of the takers waits for ever */
    return 0;
}
