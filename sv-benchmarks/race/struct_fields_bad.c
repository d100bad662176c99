/*
 * A ring buffer with one producer and one consumer, which only look how far
 * they are themselves.
 *
 * Both change the field `count`.
 *
 *   producer, consumer: both are about to store count
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct ring {
    char head;
    char tail;
    char count;
    char data[4];
};

static struct ring ring = {0, 2, 2, {5, 6, 0, 0}};

static void *producer(void *arg)
{
    struct ring *r = arg;

    r->data[(int)r->tail] = 7;
    r->tail++;
    r->count++; // RACE
    return NULL;
}

static void *consumer(void *arg)
{
    struct ring *r = arg;

    assert(r->data[(int)r->head] == 5);
    r->head++;
    r->count--; // RACE
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, producer, &ring);
    pthread_create(&t2, NULL, consumer, &ring);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
