/*
 * A thread leaves its result in a variable on the stack of its creator.
 *
 * The creator looks at the result before it has joined the thread.
 *
 *   worker: is about to store the sum | total: is about to load it
 */
#include <pthread.h>
#include <stddef.h>

struct task {
    int from;
    int to;
    int sum;
};

static void *worker(void *arg)
{
    struct task *task = arg;
    int count = task->to - task->from + 1;

    task->sum = (task->from + task->to) * count / 2; // RACE
    return NULL;
}

static int total(int n)
{
    struct task task = {1, n, 0};
    pthread_t t;
    int sum;

    pthread_create(&t, NULL, worker, &task);
    sum = task.sum; // RACE
    pthread_join(t, NULL);
    return sum;
}

int main(void)
{
    return total(10) > 1000;
}
