/*
 * Seventy voters under one lock.
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

int main(void)
{
    pthread_t voters[VOTERS];

    for (int i = 0; i < VOTERS; i++)
        pthread_create(&voters[i], NULL, voter, NULL);
    for (int i = 0; i < VOTERS; i++)
        pthread_join(voters[i], NULL);
    assert(votes == VOTERS);
    return 0;
}
