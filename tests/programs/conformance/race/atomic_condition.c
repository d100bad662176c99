/* a loop on an atomic object
 * --race --rounds 7
 */
#include <pthread.h>

#ifdef BUG
int go;
#else
_Atomic int go;
#endif
int x;

void *one(void *arg)
{
    x = 1;
    go = 1; // RACE
    return 0;
}

void *two(void *arg)
{
    if (!go) // RACE
        return 0;
    x = 2;
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
