/*
 * Clerks without end transfer any amount between three accounts.  The sum
 * stays what it was.
 *
 * A transfer is one critical section.
 */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
unsigned first, second, third, sum;

void *clerk(void *arg)
{
    unsigned amount = __VERIFIER_nondet_uint();

    (void)arg;
    pthread_mutex_lock(&lock);
    if (__VERIFIER_nondet_int() != 0) {
        first -= amount;
        second += amount;
    } else {
        second -= amount;
        third += amount;
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

void *auditor(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    assert(first + second + third == sum);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;

    first = __VERIFIER_nondet_uint();
    second = __VERIFIER_nondet_uint();
    sum = first + second;
    for (;;) {
        pthread_create(&t, NULL, clerk, NULL);
        pthread_create(&t, NULL, auditor, NULL);
    }
}
