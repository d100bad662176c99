/* the bytes that `memset` writes: none where the size is 0
 * --race --rounds 3
 */
#include <pthread.h>
#include <string.h>

char buffer[8];
#ifdef BUG
int size = 8;
#else
int size = 0;
#endif

void *one(void *arg)
{
    memset(buffer + 1, 0, size / 2); // RACE
    return 0;
}

void *two(void *arg)
{
    buffer[2] = 1; // RACE
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
