/*
 * A thread waits until another one has loaded the configuration.
 *
 * Nothing but the signal tells that it is loaded, and a condition variable
 * remembers no signals: one that is given too early is lost.
 *
 *   t1: signals, ends | t2: waits, and nobody is left to signal
 */
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t loaded = PTHREAD_COND_INITIALIZER;
int port;

void *loader(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    port = 8080;
    pthread_cond_signal(&loaded);
    pthread_mutex_unlock(&lock);
    return NULL;
}

void *server(void *arg)
{
    int *used = arg;

    pthread_mutex_lock(&lock);
    pthread_cond_wait(&loaded, &lock); // DEADLOCK
    *used = port;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    int used = 0;

    pthread_create(&t1, NULL, loader, NULL);
    pthread_create(&t2, NULL, server, &used);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL); // DEADLOCK
    return used != 8080;
}
