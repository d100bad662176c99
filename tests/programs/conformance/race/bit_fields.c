/* bit-fields side by side are one memory location; one of width 0 between them makes two
 * --race --rounds 3
 */
#include <pthread.h>

struct {
    unsigned int a : 3;
#ifndef BUG
    unsigned int : 0;
#endif
    unsigned int b : 3;
} s;

void *one(void *arg)
{
    s.a = 1; // RACE
    return 0;
}

void *two(void *arg)
{
    s.b = 1; // RACE
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
