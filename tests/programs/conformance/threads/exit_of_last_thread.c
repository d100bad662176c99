/* functions of atexit run after the last thread, if main has left by pthread_exit
 * --rounds 3 --unwind 2
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include "../twins.h"

int finished;

void check(void)
{
    assert(finished == 1); // FAIL
}

void *work(void *arg)
{
    finished = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    atexit(check);
    pthread_create(&t, 0, work, 0);
    TWINS(return 0, pthread_exit(0));
}
