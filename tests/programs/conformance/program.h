/* What most programs begin with. */
#include <assert.h>
#include <pthread.h>
#include "twins.h"

/* Runs two functions in threads, and waits for their ends. */
#define TWO_THREADS(one, two)          \
    pthread_t t1, t2;                  \
    pthread_create(&t1, 0, one, 0);    \
    pthread_create(&t2, 0, two, 0);    \
    pthread_join(t1, 0);               \
    pthread_join(t2, 0)
