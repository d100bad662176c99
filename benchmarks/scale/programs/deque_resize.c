/*
 * A work-stealing deque (Chase and Lev) that grows into a larger array.
 *
 * Bug: there are two arrays, which take turns; a thief may still read the one that is used again.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef REPAIRED
#define ARRAYS 3
#else
#define ARRAYS 2
#endif
#define LARGEST 4
#define TASKS 5
#define NONE (-1)

atomic_int top, bottom;
atomic_int current;
atomic_int sizes[ARRAYS] = {1};
atomic_int arrays[ARRAYS][LARGEST];
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
    int begin = top;
    int array = current;
    int size = sizes[array];

    if (end - begin >= size) {
        int other = (array + 1) % ARRAYS;

        if (size == LARGEST)
            return;
        for (int i = 0; i < 2; i++)
            if (begin + i < end)
                arrays[other][(begin + i) % (2 * size)] = arrays[array][(begin + i) % size];
        size = 2 * size;
        array = other;
        sizes[array] = size;
        current = array;
    }
    arrays[array][end % size] = task;
    bottom = end + 1;
}

int steal(void)
{
    int begin = top;
    int end = bottom;
    int array, size, task;

    if (end <= begin)
        return NONE;
    array = current;
    size = sizes[array];
    task = arrays[array][begin % size];
    return cas(&top, begin, begin + 1) ? task : NONE;
}

void *owner(void *arg)
{
    (void)arg;
    for (int i = 0; i < TASKS; i++)
        push(i);
    return NULL;
}

void *thief(void *arg)
{
    (void)arg;
    run(steal());
    run(steal());
    return NULL;
}

int main(void)
{
    pthread_t a, b, c;

    pthread_create(&a, NULL, owner, NULL);
    pthread_create(&b, NULL, thief, NULL);
    pthread_create(&c, NULL, thief, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    for (int i = 0; i < TASKS; i++)
        run(steal());
    return 0;
}
