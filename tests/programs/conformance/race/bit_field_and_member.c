/* a bit-field and the member behind it
 * --race --rounds 3
 */
#include <pthread.h>

struct {
    unsigned int a : 3;
#ifdef BUG
    unsigned int b : 5;
#else
    unsigned char b;
#endif
} s;

void *one(void *arg)
{
    s.a = 1; // RACE
    return 0;
}

void *two(void *arg)
{
    int seen = s.b; // RACE
    (void)seen;
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
