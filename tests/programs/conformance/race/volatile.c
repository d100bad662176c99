/* `volatile` orders nothing
 * --race --rounds 5
 */
#include <pthread.h>

#ifdef BUG
volatile int x;
#else
_Atomic int x;
#endif

void *one(void *arg)
{
    x = 1; // RACE
    return 0;
}

void *two(void *arg)
{
    if (x == 0) // RACE
        (void)arg;
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
