/* pthread_cond_wait: a signal that comes too early
 * --deadlock --rounds 2 */
#include "../program.h"

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
int is_ready;

void *producer(void *arg)
{
    pthread_mutex_lock(&lock);
    is_ready = 1;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    START(t, producer);
    pthread_mutex_lock(&lock);
    REPAIRED(if (!is_ready))
        pthread_cond_wait(&ready, &lock); // DEADLOCK
    pthread_mutex_unlock(&lock);
    pthread_join(t, 0);
    return 0;
}
