/*
 * continue in a for loop: skips the rest of the body, not the increment.
 *
 * The adder leaves out cancelled items.  The assertion forgot that an item
 * may be cancelled while the adder is at work.
 *
 *   t1: cancels item 1 | t2: adds items 0 and 2 only: 5 is not 7
 */
#include <assert.h>
#include <pthread.h>

int item[3] = {1, 2, 4};

void *canceller(void *arg)
{
    (void)arg;
    item[1] = 0;
    return NULL;
}

void *adder(void *arg)
{
    int sum = 0;

    (void)arg;
    for (int i = 0; i < 3; i++) {
        int value = item[i];

        if (value == 0)
            continue;
        sum += value;
    }
    assert(sum == 7); // FAIL
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, canceller, NULL);
    pthread_create(&t2, NULL, adder, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
