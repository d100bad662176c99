/* pthread_cond_destroy: a thread waits on the condition variable
 * --rounds 2 */
#include <stdlib.h>
#include "../program.h"

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
int waiting;

void *waits(void *unused)
{
    pthread_mutex_lock(&lock);
    waiting = 1;
    pthread_cond_wait(&ready, &lock);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    START(other, waits);
    pthread_mutex_lock(&lock);
    if (waiting) {
        REPAIRED(pthread_cond_broadcast(&ready);)
        pthread_cond_destroy(&ready); // FAIL
    }
    exit(0);
}
