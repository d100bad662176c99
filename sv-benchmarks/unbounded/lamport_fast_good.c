/*
 * Lamport's fast mutual exclusion for two threads in endless loops.
 *
 * On the slow path a thread waits until the other does not want to enter.
 */
#include <assert.h>
#include <pthread.h>

int x, y, wants1, wants2;
int owner;

void *first(void *arg)
{
    (void)arg;
    for (;;) {
        wants1 = 1;
        x = 1;
        if (y != 0) {
            wants1 = 0;
            while (y != 0)
                ;
            continue;
        }
        y = 1;
        if (x != 1) {
            wants1 = 0;
            while (wants2)
                ;
            if (y != 1) {
                while (y != 0)
                    ;
                continue;
            }
        }
        owner = 1;
        assert(owner == 1);
        y = 0;
        wants1 = 0;
    }
}

void *second(void *arg)
{
    (void)arg;
    for (;;) {
        wants2 = 1;
        x = 2;
        if (y != 0) {
            wants2 = 0;
            while (y != 0)
                ;
            continue;
        }
        y = 2;
        if (x != 2) {
            wants2 = 0;
            while (wants1)
                ;
            if (y != 2) {
                while (y != 0)
                    ;
                continue;
            }
        }
        owner = 2;
        y = 0;
        wants2 = 0;
    }
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    return 0;
}
