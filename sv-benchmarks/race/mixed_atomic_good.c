/*
 * A count of users is changed by atomic operations on a plain int.
 *
 * Its reader uses an atomic operation too.
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int users;

static void *user(void *arg)
{
    (void)arg;
    __atomic_fetch_add(&users, 1, __ATOMIC_SEQ_CST);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int seen;

    pthread_create(&t, NULL, user, NULL);
    seen = __atomic_load_n(&users, __ATOMIC_SEQ_CST);
    assert(seen == 0 || seen == 1);
    pthread_join(t, NULL);
    return 0;
}
