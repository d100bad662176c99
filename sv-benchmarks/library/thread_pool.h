/*
 * A worker thread with a queue of tasks; each task adds a number to a sum.
 */
#ifndef THREAD_POOL_H
#define THREAD_POOL_H

#define POOL_MOST 8

struct pool;

struct pool *pool_new(void);
void pool_free(struct pool *p);

/* Whether the task was accepted: the pool is not shut down, and there is room. */
int pool_submit(struct pool *p, int number);

/* By the owner: accept no more tasks, wait until those that were accepted are done, and end the worker.  The sum. */
int pool_shutdown(struct pool *p);

#endif
