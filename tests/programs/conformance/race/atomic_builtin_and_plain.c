/* `__atomic_store_n`, and a plain load
 * --race --rounds 5
 */
#include <pthread.h>

int x;

void *one(void *arg)
{
    __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST); // RACE
    return 0;
}

void *two(void *arg)
{
#ifdef BUG
    int seen = x; // RACE
#else
    int seen = __atomic_load_n(&x, __ATOMIC_SEQ_CST);
#endif
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
