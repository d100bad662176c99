/*
 * Threads without end ask for any amount of a quota.
 *
 * The question is whether the rest suffices.
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
    if (wanted <= QUOTA - used) {
        used += wanted;
        assert(wanted <= used);
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
