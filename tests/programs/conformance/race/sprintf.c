/* what `sprintf` writes
 * --race --rounds 3
 */
#include <pthread.h>
#include <stdio.h>

char buffer[8];

void *one(void *arg)
{
    sprintf(buffer, "%d", 42); // RACE
    return 0;
}

void *two(void *arg)
{
#ifdef BUG
    buffer[2] = 1; // RACE
#else
    buffer[3] = 1;
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
