/*
 * A detached thread computes while main does something else.
 *
 * Nobody can join it, so it posts a semaphore when the answer is there.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static int answer;
static sem_t finished;

static void *compute(void *arg)
{
    (void)arg;
    answer = 6 * 7;
    sem_post(&finished);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int seen;

    sem_init(&finished, 0, 0);
    pthread_create(&t, NULL, compute, NULL);
    pthread_detach(t);
    sem_wait(&finished);
    seen = answer;
    return seen != 0 && seen != 42;
}
