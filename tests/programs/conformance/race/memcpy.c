/* the bytes that `memcpy` writes
 * --race --rounds 3
 */
#include <pthread.h>
#include <string.h>

char buffer[8];
const char source[8] = "abcdefg";

void *one(void *arg)
{
#ifdef BUG
    memcpy(buffer, source, 5); // RACE
#else
    memcpy(buffer, source, 4);
#endif
    return 0;
}

void *two(void *arg)
{
    buffer[4] = 1; // RACE
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
