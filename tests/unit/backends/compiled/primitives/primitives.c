/* Mutexes and other primitives, used correctly: one mode each. `./primitives MODE` ends with 0. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

#include "primitives.h"
#include "shared.h"

/* ---- mutexes ---- */

static void *dies_with(void *lock)
{
    assert(pthread_mutex_lock(lock) == 0);
    return NULL;
}

static void *tries(void *lock)
{
    struct timespec soon = in(CLOCK_MONOTONIC, 5);
    assert(pthread_mutex_trylock(lock) == EBUSY);
    assert(pthread_mutex_unlock(lock) == EPERM);
    assert(pthread_mutex_clocklock(lock, CLOCK_MONOTONIC, &soon) == ETIMEDOUT);
    soon = in(CLOCK_REALTIME, 5);
    assert(pthread_mutex_timedlock(lock, &soon) == ETIMEDOUT);
    soon.tv_nsec = -1;
    assert(pthread_mutex_timedlock(lock, &soon) == EINVAL);
    return NULL;
}

static void mutexes(void)
{
    pthread_t thread[2];
    start(&thread[0], adds, &mutex);
    start(&thread[1], adds, &mutex);
    join(thread[0]);
    join(thread[1]);
    assert(shared == 2);
    pthread_mutex_t lock;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    for (int round = 0; round < 2; round++) {
        pthread_mutexattr_settype(&attributes, round == 0 ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_ERRORCHECK);
        pthread_mutex_init(&lock, &attributes);
        assert(pthread_mutex_lock(&lock) == 0);
        assert(pthread_mutex_lock(&lock) == (round == 0 ? 0 : EDEADLK));
        start(&thread[0], tries, &lock);
        join(thread[0]);
        assert(pthread_mutex_unlock(&lock) == 0);
        assert(pthread_mutex_unlock(&lock) == (round == 0 ? 0 : EPERM));
        assert(pthread_mutex_destroy(&lock) == 0);
    }
    pthread_mutex_t again = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    lock = again; /* a static initialiser where one was destroyed */
    assert(pthread_mutex_lock(&lock) == 0 && pthread_mutex_trylock(&lock) == 0);
}

static void robust(void)
{
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&lock, &attributes);
    start(&thread, dies_with, &lock);
    join(thread);
    assert(pthread_mutex_lock(&lock) == EOWNERDEAD && pthread_mutex_consistent(&lock) == 0);
    assert(pthread_mutex_unlock(&lock) == 0);
    start(&thread, dies_with, &lock);
    assert(pthread_join(thread, NULL) == 0);
    assert(pthread_mutex_lock(&lock) == EOWNERDEAD && pthread_mutex_unlock(&lock) == 0);
    assert(pthread_mutex_lock(&lock) == ENOTRECOVERABLE);
}

/* ---- read-write locks ---- */

static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;

static void *reads(void *nothing)
{
    assert(pthread_rwlock_rdlock(&rwlock) == 0);
    assert(pthread_rwlock_tryrdlock(&rwlock) == 0); /* readers go first, and more than once */
    assert(shared % 2 == 0);
    assert(pthread_rwlock_trywrlock(&rwlock) == EBUSY);
    pthread_rwlock_unlock(&rwlock);
    pthread_rwlock_unlock(&rwlock);
    return nothing;
}

static void *writes(void *nothing)
{
    assert(pthread_rwlock_wrlock(&rwlock) == 0);
    assert(pthread_rwlock_rdlock(&rwlock) == EDEADLK);
    shared++;
    sched_yield();
    shared++;
    pthread_rwlock_unlock(&rwlock);
    return nothing;
}

static void rwlocks(void)
{
    pthread_t thread[3];
    start(&thread[0], reads, NULL);
    start(&thread[1], writes, NULL);
    start(&thread[2], reads, NULL);
    struct timespec soon = in(CLOCK_REALTIME, 1000);
    assert(pthread_rwlock_timedrdlock(&rwlock, &soon) == 0);
    assert(pthread_rwlock_timedwrlock(&rwlock, &soon) == ETIMEDOUT);
    pthread_rwlock_unlock(&rwlock);
    for (int n = 0; n < 3; n++)
        join(thread[n]);
    assert(shared == 2 && pthread_rwlock_destroy(&rwlock) == 0);
}

static pthread_spinlock_t spin;

static void *spins(void *nothing)
{
    if (pthread_spin_trylock(&spin) != 0)
        pthread_spin_lock(&spin);
    shared = shared + 1;
    pthread_spin_unlock(&spin);
    return nothing;
}

static void spinlocks(void)
{
    pthread_t thread;
    pthread_spin_init(&spin, 0);
    start(&thread, spins, NULL);
    spins(NULL);
    join(thread);
    assert(shared == 2 && pthread_spin_destroy(&spin) == 0);
}

/* ---- condition variables ---- */

static void *takes_turns(void *number)
{
    int mine = *(int *)number;
    pthread_mutex_lock(&mutex);
    for (int round = 0; round < 2; round++) {
        while (turn % 3 != mine)
            pthread_cond_wait(&changed, &mutex);
        turn++;
        pthread_cond_broadcast(&changed);
    }
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void conditions(void)
{
    static int numbers[] = {0, 1, 2};
    pthread_t thread[3];
    for (int n = 0; n < 3; n++)
        start(&thread[n], takes_turns, &numbers[n]);
    for (int n = 0; n < 3; n++)
        join(thread[n]);
    assert(turn == 6);
    struct timespec soon = in(CLOCK_REALTIME, 1000);
    pthread_mutex_lock(&mutex);
    assert(pthread_cond_timedwait(&changed, &mutex, &soon) == ETIMEDOUT);
    assert(in(CLOCK_REALTIME, 0).tv_sec >= soon.tv_sec);
    soon = in(CLOCK_MONOTONIC, 1000);
    assert(pthread_cond_clockwait(&changed, &mutex, CLOCK_MONOTONIC, &soon) == ETIMEDOUT);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    assert(pthread_cond_destroy(&changed) == 0 && pthread_cond_init(&changed, &attributes) == 0);
    soon = in(CLOCK_MONOTONIC, 1000);
    assert(pthread_cond_timedwait(&changed, &mutex, &soon) == ETIMEDOUT);
    pthread_mutex_unlock(&mutex);
}

/* A timed wait that is woken in some runs and ends by itself in others; the mutex may be held when it ends. */
static void *wakes(void *nothing)
{
    pthread_mutex_lock(&mutex);
    usleep(1000);
    turn = 1;
    pthread_cond_signal(&changed);
    usleep(1000);
    pthread_mutex_unlock(&mutex);
    return nothing;
}

static void timing(void)
{
    pthread_t thread;
    start(&thread, wakes, NULL);
    pthread_mutex_lock(&mutex);
    struct timespec soon = in(CLOCK_REALTIME, 1);
    int result = turn == 0 ? pthread_cond_timedwait(&changed, &mutex, &soon) : 0;
    assert(result == 0 ? turn == 1 : result == ETIMEDOUT);
    pthread_mutex_unlock(&mutex);
    join(thread);
}

/* ---- semaphores and barriers ---- */

static sem_t full, empty;

static void *produces(void *nothing)
{
    for (int n = 1; n <= 3; n++) {
        sem_wait(&empty);
        shared = n;
        sem_post(&full);
    }
    return nothing;
}

static void semaphores(void)
{
    pthread_t thread;
    int value;
    sem_init(&full, 0, 0);
    sem_init(&empty, 0, 1);
    start(&thread, produces, NULL);
    for (int n = 1; n <= 3; n++) {
        sem_wait(&full);
        assert(shared == n);
        sem_post(&empty);
    }
    join(thread);
    assert(sem_trywait(&full) == -1 && errno == EAGAIN);
    struct timespec soon = in(CLOCK_REALTIME, 10);
    assert(sem_timedwait(&full, &soon) == -1 && errno == ETIMEDOUT);
    assert(sem_clockwait(&empty, CLOCK_REALTIME, &soon) == 0);
    assert(sem_getvalue(&empty, &value) == 0 && value == 0 && sem_destroy(&empty) == 0);
    sem_t *named = sem_open("/cseq", O_CREAT, 0600, 1);
    assert(named != SEM_FAILED && sem_open("/cseq", 0) == named && sem_wait(named) == 0);
    assert(sem_open("/cseq", O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED && errno == EEXIST);
    assert(sem_close(named) == 0 && sem_unlink("/cseq") == 0 && sem_unlink("/cseq") == -1);
}

static pthread_barrier_t barrier;
static int parts[3], serial;

static void *meets(void *number)
{
    for (int round = 1; round <= 2; round++) {
        parts[*(int *)number] = round;
        if (pthread_barrier_wait(&barrier) != 0)
            serial++;
        for (int n = 0; n < 3; n++)
            assert(parts[n] == round);
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

static void barriers(void)
{
    static int numbers[] = {0, 1, 2};
    pthread_t thread[2];
    assert(pthread_barrier_init(&barrier, NULL, 0) == EINVAL && pthread_barrier_init(&barrier, NULL, 3) == 0);
    start(&thread[0], meets, &numbers[0]);
    start(&thread[1], meets, &numbers[1]);
    meets(&numbers[2]);
    assert(pthread_barrier_destroy(&barrier) == 0 && serial == 2);
    join(thread[0]);
    join(thread[1]);
}

int main(int count, char **words)
{
    static const struct mode modes[] = {
        MODE(mutexes), MODE(robust),     MODE(rwlocks),  MODE(spinlocks), MODE(conditions),
        MODE(timing),  MODE(semaphores), MODE(barriers), {NULL, NULL},
    };
    return run(modes, count, words);
}
