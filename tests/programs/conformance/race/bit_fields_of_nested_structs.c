/* bit-fields of two structs in a struct
 * --race --rounds 3
 */
#include <pthread.h>

struct {
#ifdef BUG
    unsigned int a : 3;
    unsigned int b : 3;
#else
    struct {
        unsigned int a : 3;
    };
    struct {
        unsigned int b : 3;
    };
#endif
} s;

void *one(void *arg)
{
    s.a++; // RACE
    return 0;
}

void *two(void *arg)
{
    s.b++; // RACE
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
