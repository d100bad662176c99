/*
 * A light moves from left to right; never are both lamps on.
 *
 * The right lamp is read first.  If it is on, the left one is off already.
 */
#include <pthread.h>

extern void reach_error(void);

int left = 1;
int right = 0;

void *watcher(void *arg)
{
    (void)arg;
    if (right && left)
        reach_error();
    return NULL;
}

void *mover(void *arg)
{
    (void)arg;
    left = 0;
    right = 1;
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, watcher, NULL);
    pthread_create(&t2, NULL, mover, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
