/* two elements of an array, one of them through a pointer
 * --race --rounds 3
 */
#include <pthread.h>

int a[3];

void *one(void *arg)
{
    a[1] = 1; // RACE
    return 0;
}

void *two(void *arg)
{
    int *p = a;
#ifdef BUG
    p++;
#else
    p += 2;
#endif
    *p = 1; // RACE
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
