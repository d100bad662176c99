/*
 * A thread creates a helper and gives it the address of a local of its own.
 *
 * It looks at the local after the helper was joined.
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
    pthread_join(t2, NULL);
    assert(mine == 2);
    return NULL;
}

int main(void)
{
    pthread_t t1;

    pthread_create(&t1, NULL, owner, NULL);
    pthread_join(t1, NULL);
    return 0;
}
