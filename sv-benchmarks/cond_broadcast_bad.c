/*
 * Two takers wait for an item.  The supplier brings one and wakes them both.
 *
 * A taker does not test again after it was woken.
 *
 *   t1: waits | t2: waits | t3: one item, broadcast | t1: takes it
 *   | t2: takes an item that is not there
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
    if (items == 0)
        pthread_cond_wait(&supplied, &lock);
    assert(items > 0); // FAIL
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
