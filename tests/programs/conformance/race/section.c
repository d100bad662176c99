/* an access in an atomic section, and one in none
 * --race --rounds 5
 */
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int x;

void *one(void *arg)
{
    __VERIFIER_atomic_begin();
    x++; // RACE
    __VERIFIER_atomic_end();
    return 0;
}

void *two(void *arg)
{
#ifndef BUG
    __VERIFIER_atomic_begin();
#endif
    x--; // RACE
#ifndef BUG
    __VERIFIER_atomic_end();
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
