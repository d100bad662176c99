/*
 * Two threads run the same function with different arguments, 1 and 2.
 *
 * Both write their number into the same cell.
 *
 *   t1: writes 1 | t2: writes 2 | t1: the cell holds 2
 */
#include <assert.h>
#include <pthread.h>

int cell[3];

void *writer(void *arg)
{
    int me = (int)(long)arg;
    int place = 0;

    cell[place] = me;
    assert(cell[place] == me); // FAIL
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, writer, (void *)1);
    pthread_create(&t2, NULL, writer, (void *)2);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
