/*
 * Readers and writers from a mutex, a counter of readers and a flag.
 *
 * The writer waits for another writer only, not for the readers inside.
 *
 *   t1 (reader): enters, reads 0 | t2 (writer): enters, stores 1
 *   | t1: reads 1, though it should have the value to itself
 */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int readers = 0;
int writing = 0;
int value = 0;

void *reader(void *arg)
{
    int first, second;

    (void)arg;
    pthread_mutex_lock(&lock);
    __VERIFIER_assume(writing == 0); /* else it would let go and try again */
    readers++;
    pthread_mutex_unlock(&lock);

    first = value;
    second = value;
    assert(first == second); // FAIL

    pthread_mutex_lock(&lock);
    readers--;
    pthread_mutex_unlock(&lock);
    return NULL;
}

void *writer(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    __VERIFIER_assume(writing == 0);
    writing = 1;
    pthread_mutex_unlock(&lock);

    value++;

    pthread_mutex_lock(&lock);
    writing = 0;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, reader, NULL);
    pthread_create(&t2, NULL, writer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
