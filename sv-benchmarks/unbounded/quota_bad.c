/*
 * Threads without end ask for any amount of a quota.
 *
 * The question is whether the sum suffices, which may run over.
 *
 *   t1: gets 1 | t2: asks for 4294967295, and the sum is 0
 */
#include <assert.h>
#include <pthread.h>

#define QUOTA 4096u

extern unsigned __VERIFIER_nondet_uint(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
unsigned used;

void *customer(void *arg)
{
    unsigned wanted = __VERIFIER_nondet_uint();

    (void)arg;
    pthread_mutex_lock(&lock);
    if (used + wanted <= QUOTA) {
        used += wanted;
        assert(wanted <= used); // FAIL
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;

    for (;;)
        pthread_create(&t, NULL, customer, NULL);
}
