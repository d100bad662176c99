/*
 * A log of two parts: a file and a buffer in front of it, with a lock each.
 *
 * Who logs waits for space in the buffer, and holds the lock of the file the while.
 * The one who makes space has to write to the file first.
 *
 *   t1: locks the file and the buffer, waits for space | t2: waits for the file
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
    pthread_mutex_lock(&file);
    pthread_mutex_lock(&buffer);
    while (lines > 0)
        pthread_cond_wait(&has_space, &buffer); // DEADLOCK
    lines++;
    pthread_mutex_unlock(&buffer);
    written++;
    pthread_mutex_unlock(&file);
    return NULL;
}

void *flusher(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&file); // DEADLOCK
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
    pthread_join(t1, NULL); // DEADLOCK
    pthread_join(t2, NULL);
    return 0;
}
