/*
 * A worker thread with a queue of tasks; each task adds a number to a sum.
 *
 * The pool is shut down under the lock under which the worker looks at it and begins to wait.
 */
#include "thread_pool.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t work; /* there is a task, or the pool is shut down */
    int task[POOL_MOST];
    int in, out;
    atomic_int closed;
    int sum; /* used by the worker */
    pthread_t worker;
    int joined; /* used by the owner */
};

static void *run(void *arg)
{
    struct pool *p = arg;

    for (;;) {
        int number;

        pthread_mutex_lock(&p->lock);
        while (p->in == p->out && !atomic_load(&p->closed))
            pthread_cond_wait(&p->work, &p->lock);
        if (p->in == p->out)
            break;
        number = p->task[p->out % POOL_MOST];
        p->out++;
        pthread_mutex_unlock(&p->lock);
        p->sum += number;
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

struct pool *pool_new(void)
{
    struct pool *p = calloc(1, sizeof *p);

    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->work, NULL);
    pthread_create(&p->worker, NULL, run, p);
    return p;
}

void pool_free(struct pool *p)
{
    pool_shutdown(p);
    pthread_cond_destroy(&p->work);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

int pool_submit(struct pool *p, int number)
{
    int accepted;

    pthread_mutex_lock(&p->lock);
    accepted = !atomic_load(&p->closed) && p->in - p->out < POOL_MOST;
    if (accepted) {
        p->task[p->in % POOL_MOST] = number;
        p->in++;
        pthread_cond_signal(&p->work);
    }
    pthread_mutex_unlock(&p->lock);
    return accepted;
}

int pool_shutdown(struct pool *p)
{
    pthread_mutex_lock(&p->lock);
    atomic_store(&p->closed, 1);
    pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->lock);
    if (!p->joined) {
        pthread_join(p->worker, NULL);
        p->joined = 1;
    }
    return p->sum;
}
