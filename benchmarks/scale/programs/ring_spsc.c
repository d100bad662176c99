/*
 * A pipeline of three threads with a ring between each two, whose sides keep copies of each other's index.
 *
 * Two bugs, each harmless alone: the consumer gives a slot back before it reads it, and the filter leaves no gap of one
 * slot in its ring.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define RAW 4
#define DONE 11
#define ITEMS 16

#ifdef REPAIRED
#define GAP 1
#else
#define GAP 0
#endif

atomic_int raw[RAW], done[DONE];
atomic_int raw_head, raw_tail, done_head, done_tail; // a head is the next to be read, a tail the next to be written

void *producer(void *arg)
{
    int begin = 0;

    (void)arg;
    for (int item = 0; item < ITEMS; item++) {
        if (item - begin >= RAW - 1) {
            begin = raw_head;
            if (item - begin >= RAW - 1)
                break;
        }
        raw[item % RAW] = item;
        raw_tail = item + 1;
    }
    return NULL;
}

void *filter(void *arg)
{
    int begin = 0, end = 0;

    (void)arg;
    for (int item = 0; item < ITEMS; item++) {
        int value;

        if (item == end) {
            end = raw_tail;
            if (item == end)
                break;
        }
        value = raw[item % RAW];
        raw_head = item + 1;
        if (item - begin >= DONE - GAP) {
            begin = done_head;
            if (item - begin >= DONE - GAP)
                break;
        }
        done[item % DONE] = 2 * value;
        done_tail = item + 1;
    }
    return NULL;
}

void *consumer(void *arg)
{
    int end = 0;

    (void)arg;
    for (int item = 0; item < ITEMS; item++) {
        int value;

        if (item == end) {
            end = done_tail;
            if (item == end)
                break;
        }
        done_head = item + 1;
        value = done[item % DONE];
        assert(value == 2 * item);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b, c;

    pthread_create(&a, NULL, consumer, NULL);
    pthread_create(&b, NULL, filter, NULL);
    pthread_create(&c, NULL, producer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
