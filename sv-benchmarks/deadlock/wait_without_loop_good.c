/*
 * Main supplies two takers with an item each, and brings the second one when the
 * first has been taken.
 *
 * A taker tests again after it was woken.
 */
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t supplied = PTHREAD_COND_INITIALIZER;
pthread_cond_t taken = PTHREAD_COND_INITIALIZER;
int items;

static void supply(void)
{
    pthread_mutex_lock(&lock);
    items++;
    pthread_cond_broadcast(&supplied);
    while (items != 0)
        pthread_cond_wait(&taken, &lock);
    pthread_mutex_unlock(&lock);
}

void *taker(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    while (items == 0)
        pthread_cond_wait(&supplied, &lock);
    items--;
    pthread_cond_signal(&taken);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, taker, NULL);
    pthread_create(&t2, NULL, taker, NULL);
    supply();
    supply();
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
