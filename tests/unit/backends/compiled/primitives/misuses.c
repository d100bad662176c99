/* Primitives used wrongly: a mode for each way in which a run ends for that. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

#include "primitives.h"

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static pthread_barrier_t barrier;
static pthread_spinlock_t spin;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t semaphore;
static int ready, taken;

static void *nothing(void *argument) { return argument; }

/* ---- deadlocks ---- */

static void *crosses(void *argument)
{
    pthread_mutex_lock(&second);
    pthread_mutex_lock(&first);
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
    return argument;
}

static void crossed(void)
{
    pthread_t thread;
    start(&thread, crosses, NULL);
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    join(thread);
}

static void relocked(void)
{
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&first);
}

static void *signals(void *argument)
{
    pthread_mutex_lock(&first);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&first);
    return argument;
}

/* The signal is lost if it comes first: the flag is not looked at. */
static void unheard(void)
{
    pthread_t thread;
    start(&thread, signals, NULL);
    pthread_mutex_lock(&first);
    pthread_cond_wait(&changed, &first);
    pthread_mutex_unlock(&first);
    join(thread);
}

static void *writes(void *argument)
{
    pthread_rwlock_wrlock(&rwlock);
    pthread_rwlock_unlock(&rwlock);
    return argument;
}

/* Reading twice where a writer may come in between and is preferred. */
static void preferred(void)
{
    pthread_t thread;
    start(&thread, writes, NULL);
    pthread_rwlock_rdlock(&rwlock);
    pthread_rwlock_rdlock(&rwlock);
    pthread_rwlock_unlock(&rwlock);
    pthread_rwlock_unlock(&rwlock);
    join(thread);
}

static void absent(void)
{
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_barrier_wait(&barrier);
}

static void exhausted(void)
{
    sem_init(&semaphore, 0, 1);
    sem_wait(&semaphore);
    sem_wait(&semaphore);
}

static void spun(void)
{
    pthread_spin_init(&spin, 0);
    pthread_spin_lock(&spin);
    pthread_spin_lock(&spin);
}

static void again(void) { pthread_once(&once, again); }

static pthread_t main_thread;

static void *joins_main(void *argument)
{
    join(main_thread);
    return argument;
}

static void mutual(void)
{
    pthread_t thread;
    main_thread = pthread_self();
    start(&thread, joins_main, NULL);
    join(thread);
}

/* ---- assertions that fail ---- */

static void *takes(void *argument)
{
    pthread_mutex_lock(&first);
    if (!ready)
        pthread_cond_wait(&changed, &first);
    assert(ready); /* another one may have taken it meanwhile, or the wait ended for no reason */
    ready = 0;
    pthread_mutex_unlock(&first);
    return argument;
}

static void stolen(void)
{
    pthread_t thread[2];
    start(&thread[0], takes, NULL);
    start(&thread[1], takes, NULL);
    for (int n = 0; n < 2; n++) {
        pthread_mutex_lock(&first);
        ready = 1;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&first);
        sleep(1);
    }
}

static void spurious(void)
{
    pthread_t thread;
    start(&thread, takes, NULL);
    signals(NULL);
    join(thread);
}

static void *sets(void *argument)
{
    __atomic_store_n(&taken, 1, __ATOMIC_SEQ_CST);
    return argument;
}

/* Sleep used as synchronisation. */
static void hopeful(void)
{
    pthread_t thread;
    start(&thread, sets, NULL);
    sleep(1);
    assert(__atomic_load_n(&taken, __ATOMIC_SEQ_CST) == 1);
    join(thread);
}

/* ---- misuse ---- */

static void *locks(void *argument)
{
    pthread_mutex_lock(&first);
    return argument;
}

static void others(void)
{
    pthread_t thread;
    start(&thread, locks, NULL);
    join(thread);
    pthread_mutex_unlock(&first);
}

static void unread(void) { pthread_rwlock_unlock(&rwlock); }

static void gone(void)
{
    pthread_mutex_destroy(&first);
    pthread_mutex_lock(&first);
}

static void gone_twice(void)
{
    sem_init(&semaphore, 0, 0);
    sem_destroy(&semaphore);
    sem_destroy(&semaphore);
}

static void held(void)
{
    pthread_mutex_lock(&first);
    pthread_mutex_destroy(&first);
}

static void *waits(void *argument)
{
    pthread_mutex_lock(argument);
    pthread_cond_wait(&changed, argument);
    pthread_mutex_unlock(argument);
    return argument;
}

static void awaited(void)
{
    pthread_t thread;
    start(&thread, waits, &first);
    sleep(1);
    pthread_cond_destroy(&changed);
}

static void unlocked(void) { pthread_cond_wait(&changed, &first); }

static void two_mutexes(void)
{
    pthread_t thread;
    start(&thread, waits, &first);
    waits(&second);
}

static void joined_twice(void)
{
    pthread_t thread;
    start(&thread, nothing, NULL);
    join(thread);
    join(thread);
}

static void joined_detached(void)
{
    pthread_t thread;
    start(&thread, nothing, NULL);
    pthread_detach(thread);
    join(thread);
}

static void detached_twice(void)
{
    pthread_t thread;
    start(&thread, nothing, NULL);
    pthread_detach(thread);
    pthread_detach(thread);
}

static void itself(void) { join(pthread_self()); }

static void nobody(void)
{
    pthread_t thread = 0;
    join(thread);
}

int main(int count, char **words)
{
    static const struct mode modes[] = {
        MODE(crossed),      MODE(relocked),        MODE(unheard),        MODE(preferred),
        MODE(absent),       MODE(exhausted),       MODE(spun),           MODE(again),
        MODE(mutual),       MODE(stolen),          MODE(spurious),       MODE(hopeful),
        MODE(others),       MODE(unread),          MODE(gone),           MODE(gone_twice),
        MODE(held),         MODE(awaited),         MODE(unlocked),       MODE(two_mutexes),
        MODE(joined_twice), MODE(joined_detached), MODE(detached_twice), MODE(itself),
        MODE(nobody),       {NULL, NULL},
    };
    return run(modes, count, words);
}
