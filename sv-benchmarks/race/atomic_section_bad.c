/*
 * A ticket is drawn in an atomic section in the sense of SV-COMP.
 *
 * The thread that gives tickets back does so outside of any.
 *
 *   t1: is about to enter its section | t2: is about to load the number of tickets
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int tickets = 3;

static void *draw(void *arg)
{
    int left;

    (void)arg;
    __VERIFIER_atomic_begin();
    left = tickets - 1; // RACE
    tickets = left;     // RACE
    __VERIFIER_atomic_end();
    assert(left >= 2);
    return NULL;
}

static void *give_back(void *arg)
{
    (void)arg;
    tickets++; // RACE
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, draw, NULL);
    pthread_create(&t2, NULL, give_back, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
