/*
 * A thread creates a helper and gives it the address of a local of its own.
 *
 * It looks at the local while the helper may still be at work on it.
 *
 *   t1: mine = 1, creates t2 with &mine | t2: stores 2 | t1: mine is not 1
 */
#include <assert.h>
#include <pthread.h>

void *helper(void *arg)
{
    int *theirs = arg;

    *theirs = 2;
    return NULL;
}

void *owner(void *arg)
{
    pthread_t t2;
    int mine = 1;

    (void)arg;
    pthread_create(&t2, NULL, helper, &mine);
    assert(mine == 1); // FAIL
    pthread_join(t2, NULL);
    return NULL;
}

int main(void)
{
    pthread_t t1;

    pthread_create(&t1, NULL, owner, NULL);
    pthread_join(t1, NULL);
    return 0;
}
