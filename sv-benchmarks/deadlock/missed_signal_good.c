/*
 * A thread waits until another one has loaded the configuration.
 *
 * A flag remembers that it is loaded; the signal only says: look again.
 */
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t loaded = PTHREAD_COND_INITIALIZER;
int port;
int is_loaded;

void *loader(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    port = 8080;
    is_loaded = 1;
    pthread_cond_signal(&loaded);
    pthread_mutex_unlock(&lock);
    return NULL;
}

void *server(void *arg)
{
    int *used = arg;

    pthread_mutex_lock(&lock);
    while (!is_loaded)
        pthread_cond_wait(&loaded, &lock);
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
    pthread_join(t2, NULL);
    return used != 8080;
}
