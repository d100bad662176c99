/*
 * A table is computed when somebody needs it for the first time.
 *
 * A flag of our own says whether that was done.
 *
 *   t1, t2: both are about to look at the flag, or to set it
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int powers[3];
static int computed;

static void compute(void)
{
    powers[0] = 1; // RACE
    powers[1] = 3; // RACE
    powers[2] = 9; // RACE
}

static int power(int n)
{
    if (!computed) { // RACE
        compute();
        computed = 1; // RACE
    }
    return powers[n]; // RACE
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
