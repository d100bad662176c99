/*
 * The trivial race of "The MCP Model Checker", Fig. 4: a number on the heap, to
 * which a second thread adds 321.
 *
 * main looks at it when the other thread has ended.
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *child(void *arg)
{
    volatile int *number = arg;

    *number += 321;
    return NULL;
}

int main(void)
{
    pthread_t t;
    volatile int *number = malloc(sizeof(int));

    if (!number)
        return 1;
    *number = 123;
    pthread_create(&t, NULL, child, (void *)number);
    pthread_join(t, NULL);
    assert(*number == 444);
    free((void *)number);
    return 0;
}
