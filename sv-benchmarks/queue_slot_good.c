/*
 * A queue in an array.  Two threads append one item each.
 *
 * The slot is reserved under a lock, so each thread has one of its own.
 */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int queue[4];
int tail = 0;

void *appender(void *arg)
{
    int item = (int)(long)arg;
    int slot;

    pthread_mutex_lock(&lock);
    slot = tail;
    tail = slot + 1;
    pthread_mutex_unlock(&lock);

    queue[slot] = item;
    assert(queue[slot] == item);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, appender, (void *)1);
    pthread_create(&t2, NULL, appender, (void *)2);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
