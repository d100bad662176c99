/*
 * A thread creates and joins another one.
 */
#include <pthread.h>
#include <stddef.h>

static int value;

static void *inner(void *arg)
{
    value = 1;
    return arg;
}

static void *outer(void *arg)
{
    pthread_t thread;

    pthread_create(&thread, NULL, inner, NULL);
    pthread_join(thread, NULL);
    return arg;
}

int main(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, outer, NULL);
    pthread_join(thread, NULL);
    return ++value != 2;
}
