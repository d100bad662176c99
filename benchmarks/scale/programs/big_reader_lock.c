/*
 * A reader-writer lock whose readers count themselves in and out in counters of their own.
 *
 * Bug: the writer adds up who came before it adds up who left, so a reader that comes and leaves hides another; to
 * look twice does not help.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define READERS 5
#define TIMES 3

atomic_int writer;
atomic_int entered[READERS], left[READERS];
atomic_int data[2];

void *read_both(void *arg)
{
    int self = (int)(long)arg;

    for (int i = 0; i < TIMES; i++) {
        atomic_fetch_add(&entered[self], 1);
        if (!writer) {
            int first = data[0];
            assert(data[1] == first);
        }
        atomic_fetch_add(&left[self], 1);
    }
    return NULL;
}

int sum(atomic_int *counters)
{
    int all = 0;

    for (int i = 0; i < READERS; i++)
        all = all + counters[i];
    return all;
}

int all_left(void)
{
    int in, out;

#ifdef REPAIRED
    out = sum(left);
    in = sum(entered);
#else
    in = sum(entered);
    out = sum(left);
#endif
    return in == out;
}

void *write_both(void *arg)
{
    (void)arg;
    for (int i = 1; i < TIMES; i++) {
        writer = 1;
        if (all_left() && all_left()) {
            data[0] = i;
            data[1] = i;
        }
        writer = 0;
    }
    return NULL;
}

int main(void)
{
    pthread_t readers[READERS], last;

    for (int i = 0; i < READERS; i++)
        pthread_create(&readers[i], NULL, read_both, (void *)(long)i);
    pthread_create(&last, NULL, write_both, NULL);
    pthread_join(last, NULL);
    for (int i = 0; i < READERS; i++)
        pthread_join(readers[i], NULL);
    return 0;
}
