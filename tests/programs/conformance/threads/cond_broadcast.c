/* pthread_cond_broadcast
 * --rounds 2 --unwind 2 */
#include "../program.h"

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
int full;

void *put(void *unused)
{
    pthread_mutex_lock(&lock);
    full = 1;
    pthread_cond_broadcast(&ready);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    START(other, put);
    pthread_mutex_lock(&lock);
    REPAIRED(while (!full) pthread_cond_wait(&ready, &lock);)
    assert(full); // FAIL
    pthread_mutex_unlock(&lock);
    return 0;
}
