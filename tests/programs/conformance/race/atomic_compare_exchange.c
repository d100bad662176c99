/* a compare-exchange that fails only loads
 * --race --rounds 5
 */
#include <pthread.h>

int x;

void *one(void *arg)
{
#ifdef BUG
    int expected = 0;
#else
    int expected = 5;
#endif
    __atomic_compare_exchange_n(&x, &expected, 1, 0, 5, 5); // RACE
    return 0;
}

void *two(void *arg)
{
    int seen = x; // RACE
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
