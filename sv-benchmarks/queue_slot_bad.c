/*
 * A queue in an array.  Two threads append one item each.
 *
 * The slot is reserved without a lock, so both can get the same one and one
 * item overwrites the other.
 *
 *   t1: slot 0 | t2: slot 0, stores 2 | t1: stores 1 | t2: its item is gone
 */
#include <assert.h>
#include <pthread.h>

int queue[4];
int tail = 0;

void *appender(void *arg)
{
    int item = (int)(long)arg;
    int slot;

    slot = tail;
    tail = slot + 1;

    queue[slot] = item;
    assert(queue[slot] == item); // FAIL
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
