/* Threads, their end and time, used correctly: one mode each. `./threads MODE` ends with 0. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "primitives.h"
#include "shared.h"

/* ---- threads ---- */

static pthread_key_t key;
static int destroyed;

static void destroy(void *value)
{
    pthread_mutex_lock(&mutex);
    destroyed += *(int *)value;
    pthread_mutex_unlock(&mutex);
}

static void *leaves(void *argument)
{
    pthread_setspecific(key, argument);
    pthread_exit(argument);
}

static void *detached(void *argument)
{
    sem_post(argument);
    return NULL;
}

static void *joins(void *thread)
{
    void *result;
    assert(pthread_join(*(pthread_t *)thread, &result) == 0 && result == &shared);
    exit(destroyed == 1 ? 0 : 1);
}

static void threads(void)
{
    static int one = 1;
    pthread_t first, second;
    void *result;
    struct timespec soon;
    assert(pthread_key_create(&key, destroy) == 0);
    for (int n = 0; n < 2; n++) {
        start(&first, leaves, &one);
        start(&second, leaves, &one);
        if (pthread_tryjoin_np(first, &result) != 0) {
            soon = in(CLOCK_REALTIME, 1000);
            assert(pthread_timedjoin_np(first, &result, &soon) == 0);
        }
        assert(result == &one);
        join(second);
        assert(destroyed == 2 * (n + 1));
    }
    sem_t semaphore;
    sem_init(&semaphore, 0, 0);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    assert(pthread_create(&first, &attributes, detached, &semaphore) == 0);
    start(&second, detached, &semaphore);
    assert(pthread_detach(second) == 0);
    sem_wait(&semaphore);
    sem_wait(&semaphore);
}

static void late(void)
{
    pthread_t thread;
    start(&thread, adds, &mutex);
    join(thread);
    assert(shared == 1);
}

/* main ends by pthread_exit, and another thread ends the process. */
static void leaving(void)
{
    static pthread_t self, other;
    static int one = 1;
    self = pthread_self();
    pthread_key_create(&key, destroy);
    start(&other, joins, &self);
    pthread_setspecific(key, &one);
    pthread_exit(&shared);
}

static void *waits_a_little(void *argument)
{
    usleep(1000);
    return argument;
}

static void outlived(void)
{
    pthread_t thread;
    start(&thread, waits_a_little, NULL);
    pthread_detach(thread);
    atexit(late);
    pthread_exit(NULL);
}

/* One thread after the other and the smallest stacks. */
static void many(void)
{
    pthread_t thread[3];
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    assert(pthread_attr_setstacksize(&attributes, 16384) == 0);
    for (int n = 0; n < 60; n++) {
        assert(pthread_create(&thread[n % 3], &attributes, adds, &mutex) == 0);
        for (int k = 0; n % 3 == 2 && k < 3; k++)
            join(thread[k]);
    }
    assert(shared == 60);
}

static void *stays(void *nothing)
{
    for (;;)
        sched_yield();
    return nothing;
}

/* The process ends while threads live. */
static void abandoned(void)
{
    pthread_t thread[2];
    start(&thread[0], stays, NULL);
    start(&thread[1], waits_a_little, NULL);
    join(thread[1]);
}

/* ---- once ---- */

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void initialise(void)
{
    shared++;
    sched_yield();
}

static void leaves_routine(void)
{
    if (turn++ == 0)
        pthread_exit(NULL);
    initialise();
}

static void *passes(void *routine)
{
    pthread_once(&once, routine == NULL ? initialise : leaves_routine);
    assert(shared == 1);
    return NULL;
}

static void onces(void)
{
    pthread_t thread[2];
    for (int round = 0; round < 2; round++) {
        shared = 0;
        once = PTHREAD_ONCE_INIT;
        for (int n = 0; n < 2; n++)
            start(&thread[n], passes, round == 0 ? NULL : &turn);
        join(thread[0]);
        join(thread[1]);
        assert(shared == 1);
    }
}

/* ---- cancellation ---- */

static void unlock(void *lock)
{
    pthread_mutex_unlock(lock);
    shared++;
}

static void *waits(void *nothing)
{
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, &mutex);
    while (turn == 0)
        pthread_cond_wait(&changed, &mutex);
    pthread_cleanup_pop(1);
    return nothing;
}

static void *loops(void *nothing)
{
    int before;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &before);
    for (;;)
        sched_yield();
    return nothing;
}

static void *takes(void *nothing)
{
    int before;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    sleep(1);
    pthread_mutex_lock(&mutex);
    turn = 1;
    pthread_mutex_unlock(&mutex);
    pthread_setcancelstate(before, NULL);
    for (;;)
        pthread_testcancel();
    return nothing;
}

static sem_t semaphore;

static void *sleeps(void *nothing)
{
    sem_wait(&semaphore);
    return nothing;
}

static void cancellation(void)
{
    void *(*const bodies[])(void *) = {waits, loops, takes, sleeps};
    pthread_t thread[4];
    void *result;
    sem_init(&semaphore, 0, 0);
    for (int n = 0; n < 4; n++)
        start(&thread[n], bodies[n], NULL);
    for (int n = 0; n < 4; n++) {
        assert(pthread_cancel(thread[n]) == 0);
        assert(pthread_join(thread[n], &result) == 0);
        assert(result == PTHREAD_CANCELED);
    }
    assert(turn == 1 && shared <= 1 && pthread_mutex_trylock(&mutex) == 0);
}

/* ---- C11 ---- */

static mtx_t plain, timed;
static cnd_t told;
static once_flag flag = ONCE_FLAG_INIT;
static tss_t own;

static int answers(void *argument)
{
    call_once(&flag, initialise);
    tss_set(own, argument);
    mtx_lock(&plain);
    while (turn == 0)
        cnd_wait(&told, &plain);
    assert(tss_get(own) == argument);
    mtx_unlock(&plain);
    if (argument == NULL)
        thrd_exit(-7);
    return 7;
}

static void c11(void)
{
    thrd_t thread[2];
    int result[2];
    struct timespec soon;
    assert(mtx_init(&plain, mtx_plain) == thrd_success && mtx_init(&timed, mtx_timed) == thrd_success);
    cnd_init(&told);
    tss_create(&own, NULL);
    assert(thrd_create(&thread[0], answers, NULL) == thrd_success);
    assert(thrd_create(&thread[1], answers, &shared) == thrd_success);
    thrd_yield();
    mtx_lock(&plain);
    turn = 1;
    cnd_broadcast(&told);
    mtx_unlock(&plain);
    for (int n = 0; n < 2; n++)
        assert(thrd_join(thread[n], &result[n]) == thrd_success);
    assert(result[0] == -7 && result[1] == 7 && shared == 1);
    assert(mtx_lock(&timed) == thrd_success && timespec_get(&soon, TIME_UTC) == TIME_UTC);
    assert(mtx_trylock(&timed) == thrd_busy && mtx_timedlock(&timed, &soon) == thrd_timedout);
    mtx_unlock(&timed);
    mtx_destroy(&timed);
    cnd_destroy(&told);
}

/* ---- time ---- */

static void *loses(void *nothing)
{
    sleep(3600);
    assert(__atomic_load_n(&turn, __ATOMIC_SEQ_CST) == 1);
    return nothing;
}

static void clocks(void)
{
    pthread_t thread;
    start(&thread, loses, NULL);
    time_t begun = time(NULL);
    struct timespec one = {.tv_sec = 60};
    __atomic_store_n(&turn, 1, __ATOMIC_SEQ_CST);
    nanosleep(&one, NULL);
    clock_nanosleep(CLOCK_MONOTONIC, 0, &one, NULL);
    assert(time(NULL) >= begun + 120);
    join(thread);
    assert(time(NULL) >= begun + 3600);
    struct timespec end = in(CLOCK_MONOTONIC, 500), now;
    do {
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while (now.tv_sec < end.tv_sec || (now.tv_sec == end.tv_sec && now.tv_nsec < end.tv_nsec));
}

int main(int count, char **words)
{
    static const struct mode modes[] = {
        MODE(threads), MODE(late),         MODE(leaving), MODE(outlived), MODE(many),   MODE(abandoned),
        MODE(onces),   MODE(cancellation), MODE(c11),     MODE(clocks),   {NULL, NULL},
    };
    return run(modes, count, words);
}
