/* main joins another thread
 * --race --rounds 7 */
#include "../program.h"

int x;

void *one(void *arg)
{
    x = 1; // RACE
    return 0;
}

void *two(void *arg)
{
    (void)arg;
    return 0;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, 0, one, 0);
    pthread_create(&t2, 0, two, 0);
    TWINS(pthread_join(t2, 0), pthread_join(t1, 0));
    x = 2; // RACE
    return 0;
}
