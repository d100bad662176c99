/*
 * x += y and y += x, once each: 1 and 1 become 2 and 3 or 3 and 2.
 *
 * A compound assignment is not one step.
 *
 *   t1: loads 1 and 1 | t2: y = 2 | t1: x = 2 | main: 4 is not 5
 */
#include <assert.h>
#include <pthread.h>

int x = 1;
int y = 1;

void *first(void *arg)
{
    (void)arg;
    x += y;
    return NULL;
}

void *second(void *arg)
{
    (void)arg;
    y += x;
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x + y == 5); // FAIL
    return 0;
}
