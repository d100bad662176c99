/*
 * Seventy voters under one lock.
 *
 * The last one forgets the lock, so a vote may be lost.
 *
 *   voter 70: reads 0 | voter 1: stores 1 | voter 70: stores 1
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define VOTERS 70

int votes;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *voter(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    votes++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

void *hasty_voter(void *arg)
{
    (void)arg;
    votes++;
    return NULL;
}

int main(void)
{
    pthread_t voters[VOTERS];

    for (int i = 0; i < VOTERS; i++)
        pthread_create(&voters[i], NULL, i == VOTERS - 1 ? hasty_voter : voter, NULL);
    for (int i = 0; i < VOTERS; i++)
        pthread_join(voters[i], NULL);
    assert(votes == VOTERS); // FAIL
    return 0;
}
