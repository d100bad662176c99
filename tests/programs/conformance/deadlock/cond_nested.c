/* pthread_cond_wait: with another mutex held, which the one who signals needs
 * --deadlock --rounds 2 */
#include "../program.h"

pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
int is_ready;

void *producer(void *arg)
{
    BUGGY(pthread_mutex_lock(&outer);) // DEADLOCK
    BUGGY(pthread_mutex_unlock(&outer);)
    pthread_mutex_lock(&inner);
    is_ready = 1;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&inner);
    return 0;
}

int main(void)
{
    START(t, producer);
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&inner);
    if (!is_ready)
        pthread_cond_wait(&ready, &inner); // DEADLOCK
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    pthread_join(t, 0);
    return 0;
}
