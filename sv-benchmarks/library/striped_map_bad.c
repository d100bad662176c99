/*
 * A hash map from integers to integers, whose buckets share a few locks (stripes).
 *
 * The lock is chosen by the key, not by the bucket.  As the number of buckets is no multiple of that of the locks, two
 * keys of one bucket may have different locks.
 *
 *   t1 (put 1): finds the end of bucket 1, under lock 1 | t2 (put 4): the same, under lock 0 | both append there
 */
#include "striped_map.h"
#include <pthread.h>
#include <stdlib.h>

#define BUCKETS 3
#define STRIPES 2

struct entry {
    int key;
    int value;
    struct entry *next;
};

struct map {
    pthread_mutex_t lock[STRIPES];
    struct entry *bucket[BUCKETS];
};

struct map *map_new(void)
{
    struct map *m = malloc(sizeof *m);

    for (int i = 0; i < STRIPES; i++)
        pthread_mutex_init(&m->lock[i], NULL);
    for (int i = 0; i < BUCKETS; i++)
        m->bucket[i] = NULL;
    return m;
}

void map_free(struct map *m)
{
    for (int i = 0; i < BUCKETS; i++) {
        struct entry *entry = m->bucket[i];

        while (entry) {
            struct entry *next = entry->next;

            free(entry);
            entry = next;
        }
    }
    for (int i = 0; i < STRIPES; i++)
        pthread_mutex_destroy(&m->lock[i]);
    free(m);
}

static pthread_mutex_t *lock_of(struct map *m, int key)
{
    return &m->lock[key % STRIPES]; /* wrong: keys of one bucket have different locks */
}

/* The link to the entry of the key, or the last link of its bucket; with its lock. */
static struct entry **find(struct map *m, int key)
{
    struct entry **link = &m->bucket[key % BUCKETS];

    while (*link && (*link)->key != key)
        link = &(*link)->next;
    return link;
}

int map_put(struct map *m, int key, int value)
{
    pthread_mutex_t *lock = lock_of(m, key);
    struct entry **link, *entry;
    int old = -1;

    pthread_mutex_lock(lock);
    link = find(m, key);
    entry = *link;
    if (entry) {
        old = entry->value;
        entry->value = value;
    } else {
        entry = malloc(sizeof *entry);
        entry->key = key;
        entry->value = value;
        entry->next = NULL;
        *link = entry;
    }
    pthread_mutex_unlock(lock);
    return old;
}

int map_get(struct map *m, int key)
{
    pthread_mutex_t *lock = lock_of(m, key);
    struct entry *entry;
    int value;

    pthread_mutex_lock(lock);
    entry = *find(m, key);
    value = entry ? entry->value : -1;
    pthread_mutex_unlock(lock);
    return value;
}

int map_remove(struct map *m, int key)
{
    pthread_mutex_t *lock = lock_of(m, key);
    struct entry **link, *entry;
    int old = -1;

    pthread_mutex_lock(lock);
    link = find(m, key);
    entry = *link;
    if (entry) {
        old = entry->value;
        *link = entry->next;
        free(entry);
    }
    pthread_mutex_unlock(lock);
    return old;
}
