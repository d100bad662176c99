/* a function that is one step by its name
 * --race --rounds 5
 */
#include <pthread.h>

int x;

void __VERIFIER_atomic_set(void)
{
    x = 1; // RACE
}

void *one(void *arg)
{
    __VERIFIER_atomic_set();
    return 0;
}

void *two(void *arg)
{
#ifdef BUG
    x = 2; // RACE
#else
    __VERIFIER_atomic_set();
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
