/*
 * The indices of a queue of eight places run on for ever, over the end of
 * their type, from anywhere.
 *
 * How many places are taken is their difference, whatever they are.
 */
#include <assert.h>
#include <pthread.h>

#define SIZE 8u

extern unsigned __VERIFIER_nondet_uint(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
unsigned head, tail;

void *producer(void *arg)
{
    (void)arg;
    for (;;) {
        pthread_mutex_lock(&lock);
        unsigned taken = head - tail;
        if (taken < SIZE)
            head++;
        assert(head - tail <= SIZE);
        pthread_mutex_unlock(&lock);
    }
}

void *consumer(void *arg)
{
    (void)arg;
    for (;;) {
        pthread_mutex_lock(&lock);
        if (head != tail)
            tail++;
        pthread_mutex_unlock(&lock);
    }
}

int main(void)
{
    pthread_t t1, t2;

    head = tail = __VERIFIER_nondet_uint();
    pthread_create(&t1, NULL, producer, NULL);
    pthread_create(&t2, NULL, consumer, NULL);
    pthread_join(t1, NULL);
    return 0;
}
