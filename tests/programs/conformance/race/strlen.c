/* the characters that `strlen` reads
 * --race --rounds 3
 */
#include <pthread.h>
#include <string.h>

char buffer[8] = "ab";
int length;

void *one(void *arg)
{
    length = strlen(buffer); // RACE
    return 0;
}

void *two(void *arg)
{
#ifdef BUG
    buffer[2] = 0; // RACE
#else
    buffer[3] = 0;
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
