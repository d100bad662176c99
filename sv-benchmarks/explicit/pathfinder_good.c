/*
 * The priority inversion of Mars Pathfinder.  Three threads on one processor,
 * which always runs the one with the highest priority that is ready: the bus
 * task (high), communications (medium), the weather task (low).  Bus and
 * weather share the information bus under a mutex.  The first two wait for
 * interrupts, which come while the weather task runs.  A watchdog counts what
 * communications does while the bus task is due.
 *
 * Who holds the mutex inherits the priority of those that wait for it: the
 * weather task soon lets go of the bus.
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>

#ifndef PROTOCOL
#define PROTOCOL PTHREAD_PRIO_INHERIT
#endif
#define WORK 3
#define PATIENCE 2

enum { LOW = 1, MEDIUM, HIGH, HIGHEST };

extern _Bool __VERIFIER_nondet_bool(void);

pthread_mutex_t bus;
sem_t bus_interrupt, radio_interrupt;
bool bus_is_due, radio_is_due;
int watchdog;

void interrupts(void)
{
    if (!bus_is_due && __VERIFIER_nondet_bool()) {
        bus_is_due = true;
        sem_post(&bus_interrupt);
    }
    if (!radio_is_due && __VERIFIER_nondet_bool()) {
        radio_is_due = true;
        sem_post(&radio_interrupt);
    }
}

void *bus_task(void *arg)
{
    (void)arg;
    for (;;) {
        sem_wait(&bus_interrupt);
        pthread_mutex_lock(&bus);
        watchdog = 0;
        bus_is_due = false;
        pthread_mutex_unlock(&bus);
    }
    return NULL;
}

void *communications(void *arg)
{
    (void)arg;
    for (;;) {
        sem_wait(&radio_interrupt);
        for (int i = 0; i < WORK; i++) {
            if (bus_is_due)
                watchdog++;
            assert(watchdog < PATIENCE);
        }
        radio_is_due = false;
    }
    return NULL;
}

void *weather_task(void *arg)
{
    (void)arg;
    for (;;) {
        interrupts();
        pthread_mutex_lock(&bus);
        interrupts();
        pthread_mutex_unlock(&bus);
    }
    return NULL;
}

pthread_t start(void *(*task)(void *), int priority)
{
    pthread_t t;
    pthread_attr_t attr;
    struct sched_param param = {.sched_priority = priority};

    pthread_attr_init(&attr);
    pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&attr, SCHED_FIFO);
    pthread_attr_setschedparam(&attr, &param);
    pthread_create(&t, &attr, task, NULL);
    pthread_attr_destroy(&attr);
    return t;
}

int main(void)
{
    pthread_t high, medium, low;
    pthread_mutexattr_t attr;
    struct sched_param param = {.sched_priority = HIGHEST};

    pthread_setschedparam(pthread_self(), SCHED_FIFO, &param);
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setprotocol(&attr, PROTOCOL);
    pthread_mutexattr_setprioceiling(&attr, HIGH);
    pthread_mutex_init(&bus, &attr);
    sem_init(&bus_interrupt, 0, 0);
    sem_init(&radio_interrupt, 0, 0);

    high = start(bus_task, HIGH);
    medium = start(communications, MEDIUM);
    low = start(weather_task, LOW);
    pthread_join(high, NULL);
    pthread_join(medium, NULL);
    pthread_join(low, NULL);
    return 0;
}
