/*
 * A window lo..hi is moved up, field by field; a reader wants lo <= hi.
 *
 * The lower end is moved first and is above the upper end for a while.
 *
 *   t1: lo = 5 | t2: reads 5 and 3
 */
#include <assert.h>
#include <pthread.h>

struct window {
    char name;
    struct {
        int lo;
        int hi;
    } ends;
};

struct window view = {'v', {1, 3}};

void *mover(void *arg)
{
    struct window *w = arg;

    w->ends.lo = 5;
    w->ends.hi = 9;
    return NULL;
}

void *reader(void *arg)
{
    struct window *w = arg;
    int lo = w->ends.lo;
    int hi = w->ends.hi;

    assert(lo <= hi); // FAIL
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, mover, &view);
    pthread_create(&t2, NULL, reader, &view);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
