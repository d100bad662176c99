/*
 * Readers and a writer, all without end, with a lock of the library that
 * readers share.
 *
 * The writer has it alone.
 */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int x, y;

void *reader(void *arg)
{
    (void)arg;
    pthread_rwlock_rdlock(&lock);
    assert(x == y);
    pthread_rwlock_unlock(&lock);
    return NULL;
}

void *writer(void *arg)
{
    int value = __VERIFIER_nondet_int();

    (void)arg;
    pthread_rwlock_wrlock(&lock);
    x = value;
    y = value;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;

    for (;;) {
        pthread_create(&t, NULL, reader, NULL);
        pthread_create(&t, NULL, writer, NULL);
    }
}
