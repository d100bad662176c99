/* A counter under a mutex. */
#include "c11.h"
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n;
void *thread(void *arg)
{
    pthread_mutex_lock(&m);
    n++;
    pthread_mutex_unlock(&m);
    return 0;
}
MAIN(, n == N)
