/*
 * Two threads run a recursive function; each activation has its own `mine`.
 *
 * The box is written and read without a lock.
 *
 *   t1: in the inner call, box = 1 | t2: in the outer call, box = 2
 *   | t1: the box holds 2
 */
#include <assert.h>
#include <pthread.h>

int box = 0;

void fill(int level)
{
    int mine = level;

    if (level > 1)
        fill(level - 1);
    box = mine;
    assert(box == level); // FAIL
}

void *filler(void *arg)
{
    (void)arg;
    fill(2);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, filler, NULL);
    pthread_create(&t2, NULL, filler, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
