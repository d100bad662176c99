/*
 * Szymanski's mutual exclusion for two threads in endless loops: a waiting
 * room with a door in (state 3) and a door out (state 4).
 *
 * Whoever leaves compares the other's state with 2 and then with 3, and reads
 * it twice.
 *
 *   t1: state 3 is not 2 | t2: from 3 to 2 | t1: state 2 is not 3, leaves,
 *   comes back | t2: sees t1 at 1, enters | t1: enters
 */
#include <assert.h>
#include <pthread.h>

int state1, state2;
int inside;

void *first(void *arg)
{
    (void)arg;
    for (;;) {
        state1 = 1;
        while (state2 >= 3)
            ;
        state1 = 3;
        if (state2 == 1) {
            state1 = 2;
            while (state2 != 4)
                ;
        }
        state1 = 4;
        /* It has the smaller number, and waits for nobody inside. */
        inside = 1;
        assert(inside == 1); // FAIL
        while (state2 == 2 || state2 == 3)
            ;
        state1 = 0;
    }
}

void *second(void *arg)
{
    (void)arg;
    for (;;) {
        state2 = 1;
        while (state1 >= 3)
            ;
        state2 = 3;
        if (state1 == 1) {
            state2 = 2;
            while (state1 != 4)
                ;
        }
        state2 = 4;
        while (state1 >= 2)
            ;
        inside = 2;
        state2 = 0;
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
