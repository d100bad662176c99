/*
 * A detached thread computes while main does something else.
 *
 * Nobody can join it, and main just looks whether the answer is there.
 *
 *   thread: is about to store the answer | main: is about to load it
 */
#include <pthread.h>
#include <stddef.h>

static int answer;

static void *compute(void *arg)
{
    (void)arg;
    answer = 6 * 7; // RACE
    return NULL;
}

int main(void)
{
    pthread_t t;
    int seen;

    pthread_create(&t, NULL, compute, NULL);
    pthread_detach(t);
    seen = answer; // RACE
    return seen != 0 && seen != 42;
}
