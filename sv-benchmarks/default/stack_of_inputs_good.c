/*
 * A stack of any numbers, with its top in a word of 32 bits.
 *
 * The number of elements is looked at under the lock.
 */
#include <assert.h>
#include <pthread.h>

#define SIZE 4

extern unsigned long __VERIFIER_nondet_ulong(void);

unsigned long stack[SIZE];
long top;
unsigned long limit = 2147483648UL;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int push(unsigned long value)
{
    int done = 0;

    pthread_mutex_lock(&lock);
    if (top < SIZE && value * 2 < limit) {
        stack[top] = value * 2;
        top++;
        done = 1;
    }
    pthread_mutex_unlock(&lock);
    return done;
}

void *taker(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    if (top > 0) {
        top--;
        assert(top >= 0);
        assert(stack[top] % 2 == 0);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    assert(sizeof(long) == 4);
    push(__VERIFIER_nondet_ulong());
    pthread_create(&t1, NULL, taker, NULL);
    pthread_create(&t2, NULL, taker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
