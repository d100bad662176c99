/* What most programs begin with. */
#include <assert.h>
#include <pthread.h>
#include "twins.h"

/* Makes a thread that runs a function. */
#define START(thread, function) \
    pthread_t thread;           \
    pthread_create(&thread, 0, function, 0)

/* Runs two functions in threads, and waits for their ends. */
#define TWO_THREADS(one, two) \
    START(t1, one);           \
    START(t2, two);           \
    pthread_join(t1, 0);      \
    pthread_join(t2, 0)
