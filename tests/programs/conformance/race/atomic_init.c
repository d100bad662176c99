/* `atomic_init` is no atomic access
 * --race --rounds 5
 */
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

void *one(void *arg)
{
#ifdef BUG
    atomic_init(&x, 1); // RACE
#else
    atomic_store(&x, 1);
#endif
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
