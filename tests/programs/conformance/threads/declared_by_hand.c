/* declarations of pthread_create and pthread_join without their header, as in SV-COMP
 * --rounds 2 --unwind 1 */
#include "../twins.h"
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *)
    __attribute__((__nothrow__, __leaf__)) __attribute__((__noreturn__));

typedef unsigned long int pthread_t;
union pthread_attr_t
{
    char __size[56];
    long int __align;
};
typedef union pthread_attr_t pthread_attr_t;
extern int pthread_create(pthread_t *__restrict __newthread, const pthread_attr_t *__restrict __attr,
                          void *(*__start_routine)(void *), void *__restrict __arg) __attribute__((__nothrow__));
extern int pthread_join(pthread_t __th, void **__thread_return);
extern void __VERIFIER_atomic_begin();
extern void __VERIFIER_atomic_end();

int x;

void *worker(void *arg)
{
    REPAIRED(__VERIFIER_atomic_begin();)
    x++;
    REPAIRED(__VERIFIER_atomic_end();)
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (x != 2)
        __assert_fail("x == 2", "declared_by_hand.c", 0, "main"); // FAIL
    return 0;
}
