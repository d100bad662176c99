/* the value that a thread function returns
 * --race --rounds 5
 */
#include <pthread.h>

void *x;

void *one(void *arg)
{
    x = arg; // RACE
    return 0;
}

void *two(void *arg)
{
#ifdef BUG
    return x; // RACE
#else
    return arg;
#endif
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
