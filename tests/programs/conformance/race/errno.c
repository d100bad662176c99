/* `errno` is a thread's own
 * --race --rounds 3
 */
#include <errno.h>
#include <pthread.h>

int shared;

void *one(void *arg)
{
#ifdef BUG
    shared = 1; // RACE
#else
    errno = 1;
#endif
    return 0;
}

void *two(void *arg)
{
#ifdef BUG
    shared = 2; // RACE
#else
    errno = 2;
#endif
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
