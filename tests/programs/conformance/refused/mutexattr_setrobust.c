/* PTHREAD_MUTEX_ROBUST */
#include <pthread.h>

int main(void)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST); // REFUSED: robust mutexes are not supported
    return 0;
}
