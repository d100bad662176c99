/*
 * A log of two parts: a file and a buffer in front of it, with a lock each.
 *
 * Who logs locks the file when there is space in the buffer.
 */
#include <pthread.h>

pthread_mutex_t file = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t buffer = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t has_space = PTHREAD_COND_INITIALIZER;
int lines = 1;
int written;

void *logger(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&buffer);
    while (lines > 0)
        pthread_cond_wait(&has_space, &buffer);
    lines++;
    pthread_mutex_unlock(&buffer);
    pthread_mutex_lock(&file);
    written++;
    pthread_mutex_unlock(&file);
    return NULL;
}

void *flusher(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&file);
    written++;
    pthread_mutex_unlock(&file);

    pthread_mutex_lock(&buffer);
    lines = 0;
    pthread_cond_signal(&has_space);
    pthread_mutex_unlock(&buffer);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, logger, NULL);
    pthread_create(&t2, NULL, flusher, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
