/* a block is freed while it is read
 * --race --rounds 9 */
#include <stdlib.h>
#include "../program.h"

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
    p = calloc(3, sizeof(int));
    TWO_THREADS(one, two);
    return 0;
}
