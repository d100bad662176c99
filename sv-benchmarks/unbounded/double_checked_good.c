/*
 * Double-checked initialisation with a limit that is any positive number, and
 * threads without end that ask for it.
 *
 * It is announced when it is there.
 */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int ready, limit;

static int get_limit(void)
{
    if (!ready) {
        pthread_mutex_lock(&lock);
        if (!ready) {
            int value = __VERIFIER_nondet_int();

            limit = value > 0 ? value : 1;
            ready = 1;
        }
        pthread_mutex_unlock(&lock);
    }
    return limit;
}

void *client(void *arg)
{
    int first = get_limit();

    (void)arg;
    assert(first > 0);
    return NULL;
}

int main(void)
{
    pthread_t t;

    for (;;)
        pthread_create(&t, NULL, client, NULL);
}
