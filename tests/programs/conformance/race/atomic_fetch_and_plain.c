/* `__sync_fetch_and_add`, and a plain store
 * --race --rounds 5
 */
#include <pthread.h>

int x;

void *one(void *arg)
{
    __sync_fetch_and_add(&x, 1); // RACE
    return 0;
}

void *two(void *arg)
{
#ifdef BUG
    x = 1; // RACE
#else
    __sync_lock_test_and_set(&x, 1);
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
