/* members of a union, and of a struct
 * --race --rounds 3
 */
#include <pthread.h>

#ifdef BUG
union {
#else
struct {
#endif
    int number;
    char text[4];
} u;

void *one(void *arg)
{
    u.number = 1; // RACE
    return 0;
}

void *two(void *arg)
{
    u.text[2] = 1; // RACE
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
