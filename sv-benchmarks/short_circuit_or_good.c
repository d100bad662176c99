/*
 * A light moves from left to right; never are both lamps off.
 *
 * The left lamp is read first.  If it is off, the right one is on already.
 */
#include <assert.h>
#include <pthread.h>

int left = 1;
int right = 0;

void *watcher(void *arg)
{
    (void)arg;
    assert(left || right);
    return NULL;
}

void *mover(void *arg)
{
    (void)arg;
    right = 1;
    left = 0;
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
