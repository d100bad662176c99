/*
 * A lock-free set of keys in an open hash table; where a key was removed, another may be put.
 *
 * Bug: an insert that found such a place on its way does not look again whether the key has come further along.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 8
#define INSERTERS 5
#define EMPTY 0
#define REMOVED (-1)

atomic_int table[SIZE];
atomic_int inserted; // how often the last key was put into the set

int cas(atomic_int *cell, int before, int after) { return atomic_compare_exchange_strong(cell, &before, after); }

int insert(int key)
{
    int place = -1;

    for (int i = 0; i < SIZE; i++) {
        int probe = (key + i) % SIZE;
        int found = table[probe];

        if (found == key)
            return 0;
#ifndef REPAIRED
        if (found == REMOVED && place < 0)
            place = probe;
#endif
        if (found == EMPTY) {
            if (place >= 0)
                return cas(&table[place], REMOVED, key);
            if (cas(&table[probe], EMPTY, key))
                return 1;
            if (table[probe] == key)
                return 0;
        }
    }
    return 0;
}

int erase(int key)
{
    for (int i = 0; i < SIZE; i++) {
        int probe = (key + i) % SIZE;
        int found = table[probe];

        if (found == EMPTY)
            return 0;
        if (found == key)
            return cas(&table[probe], key, REMOVED);
    }
    return 0;
}

void *inserter(void *arg)
{
    int self = (int)(long)arg;

    insert(1 + SIZE * self);
    if (insert(1 + SIZE * (INSERTERS + 1)))
        assert(atomic_fetch_add(&inserted, 1) == 0);
    return NULL;
}

void *eraser(void *arg)
{
    (void)arg;
    erase(1);
    erase(1 + SIZE);
    return NULL;
}

int main(void)
{
    pthread_t inserters[INSERTERS], last;

    insert(1);
    pthread_create(&last, NULL, eraser, NULL);
    for (int i = 0; i < INSERTERS; i++)
        pthread_create(&inserters[i], NULL, inserter, (void *)(long)(i + 1));
    for (int i = 0; i < INSERTERS; i++)
        pthread_join(inserters[i], NULL);
    pthread_join(last, NULL);
    return 0;
}
