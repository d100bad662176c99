/* a copy of a struct, and a member of another one
 * --race --rounds 3
 */
#include <pthread.h>

struct pair {
    int a, b;
} from, to, other;

void *one(void *arg)
{
#ifdef BUG
    from.b = 1; // RACE
#else
    other.b = 1;
#endif
    return 0;
}

void *two(void *arg)
{
    to = from; // RACE
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
