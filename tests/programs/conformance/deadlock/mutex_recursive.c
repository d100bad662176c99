/* a recursive mutex that is unlocked less often than locked
 * --deadlock --rounds 2 */
#define _GNU_SOURCE
#include "../program.h"

pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

void *worker(void *arg)
{
    pthread_mutex_lock(&lock); // DEADLOCK
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    REPAIRED(pthread_mutex_unlock(&lock);)
    return 0;
}

int main(void)
{
    TWO_THREADS(worker, worker);
    return 0;
}
