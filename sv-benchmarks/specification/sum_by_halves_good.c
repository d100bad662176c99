/*
 * The sum of an array by halves: a recursive function in main and in a thread,
 * for one half of the array each.  Each activation has its own `left`.
 */
#include <assert.h>
#include <pthread.h>

#ifndef LENGTH
#define LENGTH 8
#endif

int numbers[LENGTH];
int upper;

int sum(int from, int length)
{
    int half = length / 2;
    int left;

    if (length == 1)
        return numbers[from];
    left = sum(from, half);
    return left + sum(from + half, length - half);
}

void *helper(void *arg)
{
    (void)arg;
    upper = sum(LENGTH / 2, LENGTH - LENGTH / 2);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int lower;

    for (int i = 0; i < LENGTH; i++)
        numbers[i] = i + 1;
    pthread_create(&thread, NULL, helper, NULL);
    lower = sum(0, LENGTH / 2);
    pthread_join(thread, NULL);
    assert(lower + upper == LENGTH * (LENGTH + 1) / 2);
    return 0;
}
