/* a block is freed while it is read
 * --race --rounds 9
 */
#include <pthread.h>
#include <stdlib.h>
#include "../twins.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int *p;

void *one(void *arg)
{
    pthread_mutex_lock(&m);
    int *mine = p;
    p = 0;
    pthread_mutex_unlock(&m);
    free(mine); // RACE
    return 0;
}

void *two(void *arg)
{
    pthread_mutex_lock(&m);
    int *seen = p;
    BUGGY(pthread_mutex_unlock(&m);)
    if (seen)
        seen[2]++; // RACE
    REPAIRED(pthread_mutex_unlock(&m);)
    return 0;
}

int main(void)
{
    pthread_t t1, t2;
    p = calloc(3, sizeof(int));
    pthread_create(&t1, 0, one, 0);
    pthread_create(&t2, 0, two, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
