/*
 * A semaphore as a lock, for threads without end.  Some of them give up before
 * they do anything.
 *
 * Who gives up does so before it waits.
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

extern int __VERIFIER_nondet_int(void);

sem_t gate;
int users;

void *user(void *arg)
{
    (void)arg;
    if (__VERIFIER_nondet_int() < 0)
        return NULL;
    sem_wait(&gate);
    users++;
    assert(users == 1);
    users--;
    sem_post(&gate);
    return NULL;
}

int main(void)
{
    pthread_t t;

    sem_init(&gate, 0, 1);
    for (;;)
        pthread_create(&t, NULL, user, NULL);
}
