/* the characters that `strcpy` writes, and the 0 behind them
 * --race --rounds 3
 */
#include <pthread.h>
#include <string.h>

char buffer[8];

void *one(void *arg)
{
    strcpy(buffer, "abc"); // RACE
    return 0;
}

void *two(void *arg)
{
#ifdef BUG
    buffer[3] = 1; // RACE
#else
    buffer[4] = 1;
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
