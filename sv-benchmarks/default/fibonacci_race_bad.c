/*
 * Two threads compute Fibonacci numbers together.
 *
 * They add to each other's number six times. Only if they take turns all the
 * time do the numbers get as large as they can.
 *
 *   t1: i += j | t2: j += i | t1: i += j | ... (never two in a row)
 */
#include <assert.h>
#include <pthread.h>

#define ROUNDS 6

int i = 1, j = 1;

void *first(void *arg)
{
    (void)arg;
    for (int k = 0; k < ROUNDS; k++)
        i += j;
    return NULL;
}

void *second(void *arg)
{
    (void)arg;
    for (int k = 0; k < ROUNDS; k++)
        j += i;
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(i < 377 && j < 377); // FAIL
    return 0;
}
