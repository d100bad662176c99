/*
 * x += y and y += x, once each: 1 and 1 become 2 and 3 or 3 and 2.
 *
 * Each one is made under a lock.
 */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int x = 1;
int y = 1;

void *first(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    x += y;
    pthread_mutex_unlock(&lock);
    return NULL;
}

void *second(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    y += x;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x + y == 5);
    return 0;
}
