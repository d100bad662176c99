/*
 * A ring for many producers and consumers; each cell has a number that says whose turn it is.
 *
 * Bug: the numbers count few laps only, so a slow producer takes a full cell of a later lap for an empty one.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 2
#define ITEMS 8

#ifdef REPAIRED
#define LAPS 64
#else
#define LAPS 2
#endif
#define WRAP (SIZE * LAPS)

atomic_int turn[SIZE] = {0, 1};
atomic_int items[SIZE];
atomic_int head, tail;
atomic_int gets[ITEMS];

int cas(atomic_int *cell, int before, int after) { return atomic_compare_exchange_strong(cell, &before, after); }

int put(int item)
{
    int end = tail;

    if (turn[end % SIZE] != end)
        return 0;
    if (!cas(&tail, end, (end + 1) % WRAP))
        return 0;
    items[end % SIZE] = item;
    turn[end % SIZE] = (end + 1) % WRAP;
    return 1;
}

int get(void)
{
    int begin = head;
    int item;

    if (turn[begin % SIZE] != (begin + 1) % WRAP)
        return -1;
    if (!cas(&head, begin, (begin + 1) % WRAP))
        return -1;
    item = items[begin % SIZE];
    turn[begin % SIZE] = (begin + SIZE) % WRAP;
    return item;
}

void *slow(void *arg)
{
    (void)arg;
    put(0);
    return NULL;
}

void *producer(void *arg)
{
    int item = 1;

    (void)arg;
    for (int i = 1; i < ITEMS; i++)
        item = item + put(item);
    return NULL;
}

void *consumer(void *arg)
{
    int last = 0;

    (void)arg;
    for (int i = 0; i < 6; i++) {
        int item = get();
        if (item >= 0)
            assert(atomic_fetch_add(&gets[item], 1) == 0);
        if (item > 0) {
            last = last + 1;
            assert(item == last);
        }
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b, c;

    pthread_create(&a, NULL, slow, NULL);
    pthread_create(&b, NULL, producer, NULL);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
