/*
 * A cache under a read-write lock.  Who does not find the entry puts it there.
 *
 * It asks for the lock for writing while it holds it for reading, and waits until
 * all readers are gone, itself among them.
 *
 *   t1: holds the lock for reading | t2: reads, misses, waits until t1 and t2 are gone
 *   | t1: misses, waits as well
 */
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int cached;
int computed;

static int lookup(void)
{
    int value;

    pthread_rwlock_rdlock(&lock);
    value = cached;
    if (value == 0) {
        pthread_rwlock_wrlock(&lock); // DEADLOCK
        cached = value = 42;
        computed++;
    }
    pthread_rwlock_unlock(&lock);
    return value;
}

void *client(void *arg)
{
    *(int *)arg = lookup();
    return NULL;
}

int main(void)
{
    int answers[2];
    pthread_t t1, t2;

    pthread_create(&t1, NULL, client, &answers[0]);
    pthread_create(&t2, NULL, client, &answers[1]);
    pthread_join(t1, NULL); // DEADLOCK
    pthread_join(t2, NULL);
    return answers[0] != answers[1];
}
