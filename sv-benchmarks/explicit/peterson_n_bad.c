/*
 * Peterson's mutual exclusion for N threads, which go in and out for ever:
 * N - 1 levels, and at each the last one that has come stays behind, as long as
 * there is somebody at that level or above.
 *
 * Here a thread says that it is the last one before it is at the level.
 *
 *   t1: last | t2: last, at level 1, sees t1 below, enters, inside = 1
 *   | t1: at level 1, not the last, enters, inside = 0 | t2: inside is not 1
 */
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 2
#endif

int level[N];
int last[N];
int inside;

void *process(void *arg)
{
    int me = (int)(long)arg;

    for (;;) {
        for (int l = 1; l < N; l++) {
            last[l] = me;
            level[me] = l;
            for (int k = 0; k < N; k++)
                while (k != me && level[k] >= l && last[l] == me)
                    ;
        }

        inside = me;
        assert(inside == me); // FAIL

        level[me] = 0;
    }
    return NULL;
}

int main(void)
{
    pthread_t t[N];

    for (int i = 0; i < N; i++)
        pthread_create(&t[i], NULL, process, (void *)(long)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return 0;
}
