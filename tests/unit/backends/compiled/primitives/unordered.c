/* Primitives that order less than one might think: a mode for each, with a data race. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

#include "primitives.h"

static int shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;

static void both(void *(*function)(void *))
{
    pthread_t thread;
    start(&thread, function, NULL);
    function(NULL);
    join(thread);
}

static void *writes(void *argument)
{
    shared = shared + 1;
    return argument;
}

/* Readers exclude writers only. */
static void *reads(void *argument)
{
    pthread_rwlock_rdlock(&rwlock);
    shared = shared + 1;
    pthread_rwlock_unlock(&rwlock);
    return argument;
}

static void readers(void) { both(reads); }

static void *tries(void *argument)
{
    if (pthread_mutex_trylock(&mutex) == EBUSY) {
        shared = shared + 1;
        return argument;
    }
    shared = shared + 1;
    sched_yield();
    pthread_mutex_unlock(&mutex);
    return argument;
}

static void tried(void) { both(tries); }

/* The second part needs another barrier. */
static void *meets(void *argument)
{
    pthread_barrier_wait(&barrier);
    return writes(argument);
}

static void apart(void)
{
    pthread_barrier_init(&barrier, NULL, 2);
    both(meets);
}

static void *passes(void *argument)
{
    sem_wait(&semaphore);
    shared = shared + 1;
    sem_post(&semaphore);
    return argument;
}

static void two(void)
{
    sem_init(&semaphore, 0, 2);
    both(passes);
}

static void slept(void)
{
    pthread_t thread;
    start(&thread, writes, NULL);
    pthread_detach(thread);
    sleep(1);
    shared = shared + 1;
}

static void *initialises(void *argument)
{
    pthread_mutex_init(&mutex, NULL);
    return argument;
}

static void initialised(void) { both(initialises); }

int main(int count, char **words)
{
    static const struct mode modes[] = {
        MODE(readers), MODE(tried), MODE(apart), MODE(two), MODE(slept), MODE(initialised), {NULL, NULL},
    };
    return run(modes, count, words);
}
