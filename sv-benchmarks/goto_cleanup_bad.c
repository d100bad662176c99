/*
 * The goto-to-the-end idiom: on failure, jump to the clean-up.
 *
 * The jump goes to the unlock, though trylock did not get the mutex.
 *
 *   t1: gets the mutex | t2: does not, jumps, unlocks t1's mutex
 */
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int counter = 0;

void *worker(void *arg)
{
    (void)arg;
    if (pthread_mutex_trylock(&lock) != 0)
        goto out;
    counter++;
out:
    pthread_mutex_unlock(&lock); // FAIL
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
