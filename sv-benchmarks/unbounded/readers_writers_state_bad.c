/*
 * Readers and writers without end, with one state: the number of readers, or
 * -1 while somebody writes.
 *
 * A writer only looks whether another one is there.
 *
 *   t1: reads | t2: begins to write | t1: reads again
 */
#include <assert.h>
#include <limits.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int state;
int data;

void *reader(void *arg)
{
    int seen;

    (void)arg;
    pthread_mutex_lock(&lock);
    if (state < 0 || state == INT_MAX) {
        pthread_mutex_unlock(&lock);
        return NULL;
    }
    state++;
    pthread_mutex_unlock(&lock);
    seen = data;
    assert(seen == data); // FAIL
    pthread_mutex_lock(&lock);
    state--;
    pthread_mutex_unlock(&lock);
    return NULL;
}

void *writer(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    if (state == -1) {
        pthread_mutex_unlock(&lock);
        return NULL;
    }
    state = -1;
    pthread_mutex_unlock(&lock);
    data = __VERIFIER_nondet_int();
    pthread_mutex_lock(&lock);
    state = 0;
    pthread_mutex_unlock(&lock);
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
