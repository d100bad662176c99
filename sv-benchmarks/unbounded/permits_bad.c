/*
 * A pool of any number of permits: those that are out and those that are in
 * make up the pool.
 *
 * A permit is given out without looking.
 *
 *   the pool is empty | t1: gets a permit
 */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int pool, in, out;

void *worker(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    if (in >= 0) {
        in--;
        out++;
        assert(out <= pool); // FAIL
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        out--;
        in++;
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;

    pool = __VERIFIER_nondet_int();
    if (pool < 0 || pool > 1000000)
        return 0;
    in = pool;
    for (;;)
        pthread_create(&t, NULL, worker, NULL);
}
