/* an atomic object, and a plain one
 * --race --rounds 5
 */
#include <pthread.h>

#ifdef BUG
int x;
#else
_Atomic int x;
#endif

void *one(void *arg)
{
    x++; // RACE
    return 0;
}

void *two(void *arg)
{
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
