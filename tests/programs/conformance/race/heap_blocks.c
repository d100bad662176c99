/* two blocks of memory, and one
 * --race --rounds 3
 */
#include <pthread.h>
#include <stdlib.h>
#include "../twins.h"

int *p, *q;

void *one(void *arg)
{
    p[0] = 1; // RACE
    return 0;
}

void *two(void *arg)
{
    q[0] = 2; // RACE
    return 0;
}

int main(void)
{
    pthread_t t1, t2;
    p = calloc(1, sizeof(int));
    TWINS(q = p, q = calloc(1, sizeof(int)));
    pthread_create(&t1, 0, one, 0);
    pthread_create(&t2, 0, two, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
