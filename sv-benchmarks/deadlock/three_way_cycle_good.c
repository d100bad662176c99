/*
 * Three parts of a server with a lock each; three tasks need two of them each.
 *
 * All take their locks in the order disk, cache, net.
 */
#include <pthread.h>

pthread_mutex_t disk = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t cache = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t net = PTHREAD_MUTEX_INITIALIZER;
int loaded, sent, logged;

void *load(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&disk);
    pthread_mutex_lock(&cache);
    loaded++;
    pthread_mutex_unlock(&cache);
    pthread_mutex_unlock(&disk);
    return NULL;
}

void *serve(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&cache);
    pthread_mutex_lock(&net);
    sent++;
    pthread_mutex_unlock(&net);
    pthread_mutex_unlock(&cache);
    return NULL;
}

void *write_log(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&disk);
    pthread_mutex_lock(&net);
    logged++;
    pthread_mutex_unlock(&net);
    pthread_mutex_unlock(&disk);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2, t3;

    pthread_create(&t1, NULL, load, NULL);
    pthread_create(&t2, NULL, serve, NULL);
    pthread_create(&t3, NULL, write_log, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    return 0;
}
