/*
 * A cache under a read-write lock.  Who does not find the entry puts it there.
 *
 * It gives the lock back first, and looks again when it has it for writing.
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
        pthread_rwlock_unlock(&lock);
        pthread_rwlock_wrlock(&lock);
        if (cached == 0) {
            cached = 42;
            computed++;
        }
        value = cached;
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
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return answers[0] != answers[1];
}
