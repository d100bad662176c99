/*
 * A table is computed when somebody needs it for the first time.
 *
 * pthread_once does it, and the others wait until it is done.
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int powers[3];
static pthread_once_t computed = PTHREAD_ONCE_INIT;

static void compute(void)
{
    powers[0] = 1;
    powers[1] = 3;
    powers[2] = 9;
}

static int power(int n)
{
    pthread_once(&computed, compute);
    return powers[n];
}

static void *user(void *arg)
{
    (void)arg;
    assert(power(2) == 9);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, user, NULL);
    pthread_create(&t2, NULL, user, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
