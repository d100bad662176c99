/*
 * A ticket is drawn in an atomic section in the sense of SV-COMP.
 *
 * The thread that gives tickets back does so in an atomic section, too.
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
    left = tickets - 1;
    tickets = left;
    __VERIFIER_atomic_end();
    assert(left >= 2);
    return NULL;
}

static void *give_back(void *arg)
{
    (void)arg;
    __VERIFIER_atomic_begin();
    tickets++;
    __VERIFIER_atomic_end();
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
