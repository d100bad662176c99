/* what stands in front of `pthread_create` comes before the thread
 * --race --rounds 5
 */
#include <pthread.h>

int x;

void *one(void *arg)
{
    x = 1; // RACE
    return 0;
}

int main(void)
{
    pthread_t t;
#ifndef BUG
    x = 2;
#endif
    pthread_create(&t, 0, one, 0);
#ifdef BUG
    x = 2; // RACE
#endif
    pthread_join(t, 0);
    return 0;
}
