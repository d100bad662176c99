/*
 * Two threads store their part, meet at a barrier and read the other's part.
 *
 * A thread arrives at the barrier before it has stored its part.
 *
 *   t1: arrives | t2: arrives, passes, reads t1's part: it is missing
 */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int arrived = 0;
int part[2];

void *worker(void *arg)
{
    int me = (int)(long)arg;

    __VERIFIER_atomic_begin();
    arrived++;
    __VERIFIER_atomic_end();
    part[me] = 1;
    __VERIFIER_assume(arrived == 2); /* waits for the other one */
    assert(part[1 - me] == 1); // FAIL
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, worker, (void *)0);
    pthread_create(&t2, NULL, worker, (void *)1);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
