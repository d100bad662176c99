/* a section that is entered under a condition
 * --race --rounds 5
 */
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int x;
int __VERIFIER_nondet_int(void);

void *one(void *arg)
{
    __VERIFIER_atomic_begin();
    x = 1; // RACE
    __VERIFIER_atomic_end();
    return 0;
}

void *two(void *arg)
{
#ifdef BUG
    int inside = __VERIFIER_nondet_int();
#else
    int inside = 1;
#endif
    if (inside)
        __VERIFIER_atomic_begin();
    x = 2; // RACE
    if (inside)
        __VERIFIER_atomic_end();
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
