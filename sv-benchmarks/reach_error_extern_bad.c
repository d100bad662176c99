/*
 * Two threads swap the contents of two cups with the help of a third one.
 *
 * Both use the same third cup at the same time.
 *
 *   t1: spare = 1 | t2: the whole swap: left = 2, right = 1
 *   | t1: left = 1, right = 1: the 2 is gone
 */
#include <pthread.h>

extern void reach_error(void);

int left = 1;
int right = 2;
int spare;

void check(int condition)
{
    if (!condition) {
        reach_error(); // FAIL
    }
}

void *swap(void *arg)
{
    (void)arg;
    spare = left;
    left = right;
    right = spare;
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, swap, NULL);
    pthread_create(&t2, NULL, swap, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    check(left + right == 3);
    return 0;
}
