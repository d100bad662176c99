/*
 * Threads without end compete for a prize; one of them gets it.
 *
 * The flag is looked at, and then raised.
 *
 *   t1: sees it down | t2: sees it down, raises it, wins | t1: wins, too
 */
#include <assert.h>
#include <pthread.h>

int claimed;
int winners;

void *runner(void *arg)
{
    (void)arg;
    if (claimed)
        return NULL;
    __atomic_store_n(&claimed, 1, __ATOMIC_SEQ_CST);
    winners++;
    assert(winners == 1); // FAIL
    return NULL;
}

int main(void)
{
    pthread_t t;

    for (;;)
        pthread_create(&t, NULL, runner, NULL);
}
