/*
 * A pool of workers whose lock is a word: free, taken, or taken with others who sleep until they are woken.
 *
 * Bug: who was woken takes the lock as if nobody else slept, and wakes nobody when it leaves (a lost wake-up).
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#define WORKERS 6
#define TIMES 3
#define FREE 0
#define LOCKED 1
#define CROWDED 2

#ifdef REPAIRED
#define AFTER_SLEEP CROWDED
#else
#define AFTER_SLEEP LOCKED
#endif

atomic_int word;
pthread_mutex_t kernel = PTHREAD_MUTEX_INITIALIZER;
sem_t bed;
int asleep, finished;
int tasks = 9;

int cas(atomic_int *cell, int before, int after) { return atomic_compare_exchange_strong(cell, &before, after); }

void sleep_while_crowded(void)
{
    pthread_mutex_lock(&kernel);
    if (word != CROWDED) {
        pthread_mutex_unlock(&kernel);
        return;
    }
    asleep++;
    pthread_mutex_unlock(&kernel);
    sem_wait(&bed);
}

void wake_one(void)
{
    pthread_mutex_lock(&kernel);
    if (asleep > 0) {
        asleep--;
        sem_post(&bed);
    }
    pthread_mutex_unlock(&kernel);
}

void lock(void)
{
    int mine = LOCKED;

    while (!cas(&word, FREE, mine)) {
        if (word == CROWDED || cas(&word, LOCKED, CROWDED))
            sleep_while_crowded();
        mine = AFTER_SLEEP;
    }
}

void unlock(void)
{
    if (atomic_exchange(&word, FREE) == CROWDED)
        wake_one();
}

void *worker(void *arg)
{
    (void)arg;
    for (int i = 0; i < TIMES; i++) {
        lock();
        if (tasks > 0)
            tasks--;
        unlock();
    }
    pthread_mutex_lock(&kernel);
    finished++;
    pthread_mutex_unlock(&kernel);
    return NULL;
}

int main(void)
{
    pthread_t workers[WORKERS];

    sem_init(&bed, 0, 0);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], NULL, worker, NULL);
    pthread_mutex_lock(&kernel);
    assert(asleep == 0 || finished + asleep < WORKERS);
    pthread_mutex_unlock(&kernel);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    return 0;
}
