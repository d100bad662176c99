/*
 * A thread leaves its result in a variable on the stack of its creator.
 *
 * The creator looks at the result when it has joined the thread.
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

    task->sum = (task->from + task->to) * count / 2;
    return NULL;
}

static int total(int n)
{
    struct task task = {1, n, 0};
    pthread_t t;
    int sum;

    pthread_create(&t, NULL, worker, &task);
    pthread_join(t, NULL);
    sum = task.sum;
    return sum;
}

int main(void)
{
    return total(10) > 1000;
}
