/*
 * A hash table with a mutex per bucket.  Two threads move an element each.
 *
 * A move locks the bucket with the smaller index first.
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
    int first = from < to ? from : to;
    int second = from < to ? to : from;

    pthread_mutex_lock(&locks[first]);
    pthread_mutex_lock(&locks[second]);
    used[from]--;
    used[to]++;
    pthread_mutex_unlock(&locks[second]);
    pthread_mutex_unlock(&locks[first]);
    return NULL;
}

int main(void)
{
    struct move there = {0, 2}, back = {2, 0};
    pthread_t t1, t2;

    pthread_create(&t1, NULL, mover, &there);
    pthread_create(&t2, NULL, mover, &back);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
