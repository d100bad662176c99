/*
 * A work-stealing deque whose owner starts again at index 0 when it has taken the last task.
 *
 * Bug: the tag that says so to thieves changes only if nothing was stolen since, so a slow thief takes an old task.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 8
#define TASKS 14
#define THIEVES 6
#define NONE (-1)
#define TAG 16

atomic_int age; // the tag, and the index of the oldest task
atomic_int bottom;
atomic_int buffer[SIZE];
atomic_int runs[TASKS];

int cas(atomic_int *cell, int before, int after) { return atomic_compare_exchange_strong(cell, &before, after); }

void run(int task)
{
    if (task != NONE)
        assert(atomic_fetch_add(&runs[task], 1) == 0);
}

void push(int task)
{
    int end = bottom;
    buffer[end] = task;
    bottom = end + 1;
}

int pop(void)
{
    int end = bottom;
    int task, old, next;

    if (end == 0)
        return NONE;
    end = end - 1;
    bottom = end;
    task = buffer[end];
    old = age;
    if (end > old % TAG)
        return task;
    bottom = 0;
#ifdef REPAIRED
    next = old - old % TAG + TAG;
#else
    next = old % TAG ? old - old % TAG : old + TAG;
#endif
    if (end == old % TAG && cas(&age, old, next))
        return task;
    age = next;
    return NONE;
}

int steal(void)
{
    int old = age;
    int end = bottom;
    int task;

    if (end <= old % TAG)
        return NONE;
    task = buffer[old % TAG];
    return cas(&age, old, old + 1) ? task : NONE;
}

void *owner(void *arg)
{
    (void)arg;
    for (int task = 0; task < TASKS; task += 2) {
        push(task);
        push(task + 1);
        run(pop());
    }
    return NULL;
}

void *thief(void *arg)
{
    (void)arg;
    for (int i = 0; i < 2; i++)
        run(steal());
    return NULL;
}

int main(void)
{
    pthread_t thieves[THIEVES], last;

    for (int i = 0; i < THIEVES; i++)
        pthread_create(&thieves[i], NULL, thief, NULL);
    pthread_create(&last, NULL, owner, NULL);
    for (int i = 0; i < THIEVES; i++)
        pthread_join(thieves[i], NULL);
    pthread_join(last, NULL);
    return 0;
}
