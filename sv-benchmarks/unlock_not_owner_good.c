/*
 * Two threads use a counter under a mutex.
 *
 * Each one unlocks what it has locked itself.
 */
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int counter = 0;

void *up(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

void *down(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    counter--;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, up, NULL);
    pthread_create(&t2, NULL, down, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
