/*
 * A hash table with a mutex per bucket.  Two threads move an element each.
 *
 * A move locks the bucket that it takes from, then the one that it puts to.
 *
 *   t1 (0 to 2): locks bucket 0 | t2 (2 to 0): locks bucket 2, waits for bucket 0
 *   | t1: waits for bucket 2
 */
#include <pthread.h>

#define BUCKETS 3

struct move {
    int from;
    int to;
};

pthread_mutex_t locks[BUCKETS] = {
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
};
int used[BUCKETS] = {1, 1, 1};

void *mover(void *arg)
{
    struct move *move = arg;
    int from = move->from, to = move->to;

    pthread_mutex_lock(&locks[from]);
    pthread_mutex_lock(&locks[to]); // DEADLOCK
    used[from]--;
    used[to]++;
    pthread_mutex_unlock(&locks[to]);
    pthread_mutex_unlock(&locks[from]);
    return NULL;
}

int main(void)
{
    struct move there = {0, 2}, back = {2, 0};
    pthread_t t1, t2;

    pthread_create(&t1, NULL, mover, &there);
    pthread_create(&t2, NULL, mover, &back);
    pthread_join(t1, NULL); // DEADLOCK
    pthread_join(t2, NULL);
    return 0;
}
