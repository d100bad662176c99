/*
 * One thread writes records for ever, two others read them: never more than
 * have been written.
 *
 * Looking and reading are one critical section.
 */
#include <assert.h>
#include <limits.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int written, read;

void *writer(void *arg)
{
    (void)arg;
    for (;;) {
        pthread_mutex_lock(&lock);
        if (written < INT_MAX)
            written++;
        pthread_mutex_unlock(&lock);
    }
}

void *reader(void *arg)
{
    (void)arg;
    for (;;) {
        pthread_mutex_lock(&lock);
        if (read < written) {
            read++;
            assert(read <= written);
        }
        pthread_mutex_unlock(&lock);
    }
}

int main(void)
{
    pthread_t t1, t2, t3;

    pthread_create(&t1, NULL, writer, NULL);
    pthread_create(&t2, NULL, reader, NULL);
    pthread_create(&t3, NULL, reader, NULL);
    pthread_join(t1, NULL);
    return 0;
}
