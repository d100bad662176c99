/*
 * Threads without end report levels, and the highest one is kept.
 *
 * A level is compared with the mark under the lock.
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
    pthread_mutex_lock(&lock);
    if (level > mark) {
        before = mark;
        mark = level;
        assert(mark > before);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;

    for (;;)
        pthread_create(&t, NULL, reporter, NULL);
}
