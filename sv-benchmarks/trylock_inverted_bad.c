/*
 * A counter is raised if its mutex is free.
 *
 * trylock returns 0 when it has got the mutex.  Here the answer is read as a
 * truth value: who fails to get the mutex goes in and unlocks it.
 *
 *   t1: gets the mutex, takes that for a no | t2: does not get it, goes in,
 *   unlocks t1's mutex
 */
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int counter = 0;

void *worker(void *arg)
{
    (void)arg;
    if (pthread_mutex_trylock(&lock)) {
        counter++;
        pthread_mutex_unlock(&lock); // FAIL
    }
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
