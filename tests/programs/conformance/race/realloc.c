/* `realloc` frees the old block
 * --race --rounds 5
 */
#include <pthread.h>
#include <stdlib.h>
#include "../twins.h"

int *p;

void *one(void *arg)
{
    p = realloc(p, 2 * sizeof(int)); // RACE
    return 0;
}

void *two(void *arg)
{
    TWINS(int *mine = p, int *mine = 0); // RACE
    if (mine)
        mine[0] = 1; // RACE
    return 0;
}

int main(void)
{
    pthread_t t1, t2;
    p = calloc(1, sizeof(int));
    pthread_create(&t1, 0, one, 0);
    pthread_create(&t2, 0, two, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
