/*
 * The owner of a work-stealing deque prepares a task and pushes it; a thief steals
 * it.
 *
 * The store that makes the task part of the deque is a release.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct task {
    int input, output;
};

static struct task tasks[1];
static atomic_int top, bottom;
static _Atomic(struct task *) items[1];

static void *owner(void *arg)
{
    (void)arg;
    tasks[0].input = 20;
    atomic_store_explicit(&items[0], &tasks[0], memory_order_relaxed);
    atomic_store_explicit(&bottom, 1, memory_order_release);
    return NULL;
}

static void *thief(void *arg)
{
    int t = atomic_load_explicit(&top, memory_order_acquire), b;
    struct task *task;

    (void)arg;
    atomic_thread_fence(memory_order_seq_cst);
    b = atomic_load_explicit(&bottom, memory_order_acquire);
    if (t >= b)
        return NULL;
    task = atomic_load_explicit(&items[t], memory_order_relaxed);
    if (task && atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
        task->output = task->input + 1;
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, owner, NULL);
    pthread_create(&t2, NULL, thief, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
