/* an initialisation that happens once
 * --race --rounds 7
 */
#include <pthread.h>

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
#ifndef BUG
    pthread_once(&once, initialise);
#endif
    int seen = x; // RACE
    (void)seen;
    return 0;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, 0, one, 0);
    pthread_create(&t2, 0, two, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
