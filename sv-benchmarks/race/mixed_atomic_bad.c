/*
 * A count of users is changed by atomic operations on a plain int.
 *
 * Its reader does without: an atomic and a plain access are a race like two plain ones.
 *
 *   user: is about to add 1, atomically | main: is about to load the count
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int users;

static void *user(void *arg)
{
    (void)arg;
    __atomic_fetch_add(&users, 1, __ATOMIC_SEQ_CST); // RACE
    return NULL;
}

int main(void)
{
    pthread_t t;
    int seen;

    pthread_create(&t, NULL, user, NULL);
    seen = users; // RACE
    assert(seen == 0 || seen == 1);
    pthread_join(t, NULL);
    return 0;
}
