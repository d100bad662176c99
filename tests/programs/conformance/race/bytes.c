/* a byte of an object through a `char *`
 * --race --rounds 3
 */
#include <pthread.h>

int x[2];

void *one(void *arg)
{
    x[0] = 1; // RACE
    return 0;
}

void *two(void *arg)
{
    char *byte = (char *)x;
#ifdef BUG
    byte[3] = 1; // RACE
#else
    byte[4] = 1;
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
