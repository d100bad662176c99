/*
 * A range in a struct with a mutex of its own is moved to anywhere, for ever.
 *
 * They are only swapped if both are positive.
 *
 *   t1: sets 0 and -1 | t2: looks
 */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

struct range {
    pthread_mutex_t lock;
    int low, high;
};

struct range shared = {PTHREAD_MUTEX_INITIALIZER, 0, 0};

static void move(struct range *range, int from, int to)
{
    pthread_mutex_lock(&range->lock);
    if (from > to && to > 0) {
        range->low = to;
        range->high = from;
    } else {
        range->low = from;
        range->high = to;
    }
    pthread_mutex_unlock(&range->lock);
}

void *mover(void *arg)
{
    struct range *range = arg;

    for (;;) {
        int from = __VERIFIER_nondet_int();
        int to = __VERIFIER_nondet_int();

        move(range, from, to);
    }
}

void *viewer(void *arg)
{
    struct range *range = arg;

    for (;;) {
        pthread_mutex_lock(&range->lock);
        assert(range->low <= range->high); // FAIL
        pthread_mutex_unlock(&range->lock);
    }
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, mover, &shared);
    pthread_create(&t2, NULL, viewer, &shared);
    pthread_join(t1, NULL);
    return 0;
}
