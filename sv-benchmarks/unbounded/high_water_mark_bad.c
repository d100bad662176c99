/*
 * Threads without end report levels, and the highest one is kept.
 *
 * A level is compared with the mark before the lock is taken.
 *
 *   t1: 1 is above 0 | t2: reports 2 | t1: sets 1
 */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int mark;

void *reporter(void *arg)
{
    int level = __VERIFIER_nondet_int();
    int before;

    (void)arg;
    if (level > mark) {
        pthread_mutex_lock(&lock);
        before = mark;
        mark = level;
        assert(mark > before); // FAIL
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t t;

    for (;;)
        pthread_create(&t, NULL, reporter, NULL);
}
