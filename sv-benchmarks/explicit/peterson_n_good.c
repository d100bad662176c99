/*
 * Peterson's mutual exclusion for N threads, which go in and out for ever:
 * N - 1 levels, and at each the last one that has come stays behind, as long as
 * there is somebody at that level or above.
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
            level[me] = l;
            last[l] = me;
            for (int k = 0; k < N; k++)
                while (k != me && level[k] >= l && last[l] == me)
                    ;
        }

        inside = me;
        assert(inside == me);

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
