/* an initialisation that happens once
 * --race --rounds 7 */
#include "../two_threads.h"

pthread_once_t once = PTHREAD_ONCE_INIT;
int x;

void initialise(void)
{
    x = 1; // RACE
}

void *one(void *arg)
{
    pthread_once(&once, initialise);
    return 0;
}

void *two(void *arg)
{
    REPAIRED(pthread_once(&once, initialise);)
    int seen = x; // RACE
    (void)seen;
    return 0;
}
