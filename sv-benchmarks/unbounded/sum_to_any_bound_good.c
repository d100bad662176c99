/*
 * Two threads add three n times each, where n is any number of at most a
 * million.
 *
 * They stop before n.
 */
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
unsigned n, sum;

static void add(void)
{
    pthread_mutex_lock(&lock);
    sum += 3;
    pthread_mutex_unlock(&lock);
}

void *upwards(void *arg)
{
    (void)arg;
    for (unsigned i = 0; i < n; i++)
        add();
    return NULL;
}

void *downwards(void *arg)
{
    (void)arg;
    for (unsigned i = n; i > 0; i--)
        add();
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    n = __VERIFIER_nondet_uint() % 1000001;
    pthread_create(&t1, NULL, upwards, NULL);
    pthread_create(&t2, NULL, downwards, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(sum == 6 * n);
    return 0;
}
