/*
 * A thread shows one of its locals to another one through a shared pointer,
 * and stays until the other one is done with it.
 *
 * The visitor only reads through the pointer.
 */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

int *shown = NULL;
int done = 0;
int copy = 0;

void *owner(void *arg)
{
    int mine = 1;

    (void)arg;
    shown = &mine;
    __VERIFIER_assume(done == 1); /* waits for the visitor */
    assert(mine == 1);
    return NULL;
}

void *visitor(void *arg)
{
    int *theirs;

    (void)arg;
    theirs = shown;
    if (theirs != NULL)
        copy = *theirs;
    done = 1;
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, owner, NULL);
    pthread_create(&t2, NULL, visitor, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
