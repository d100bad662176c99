/*
 * Threads without end compete for a prize; one of them gets it.
 *
 * The flag is raised by an exchange.
 */
#include <assert.h>
#include <pthread.h>

int claimed;
int winners;

void *runner(void *arg)
{
    (void)arg;
    if (__atomic_exchange_n(&claimed, 1, __ATOMIC_SEQ_CST))
        return NULL;
    winners++;
    assert(winners == 1);
    return NULL;
}

int main(void)
{
    pthread_t t;

    for (;;)
        pthread_create(&t, NULL, runner, NULL);
}
