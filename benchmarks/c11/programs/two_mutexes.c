/* Counters under two mutexes, in turn. */
#include "c11.h"
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int a, b;
void *thread(void *arg)
{
    pthread_mutex_lock(&m);
    a++;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&n);
    b++;
    pthread_mutex_unlock(&n);
    return 0;
}
MAIN(, a == N && b == N)
