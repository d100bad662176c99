/*
 * Two threads compute half of a sum each.
 *
 * Main adds the halves when it has joined both.
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int data[4] = {3, 1, 4, 1};
static int halves[2];

static void *lower(void *arg)
{
    (void)arg;
    halves[0] = data[0] + data[1];
    return NULL;
}

static void *upper(void *arg)
{
    (void)arg;
    halves[1] = data[2] + data[3];
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    int sum;

    pthread_create(&t1, NULL, lower, NULL);
    pthread_create(&t2, NULL, upper, NULL);
    pthread_join(t1, NULL);
    sum = halves[0];
    pthread_join(t2, NULL);
    sum += halves[1];
    assert(sum >= 4);
    return 0;
}
