/* a deadlock after a spurious wake-up, and none because of one
 * --deadlock --rounds 2 --unwind 2 */
#include "../program.h"

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
pthread_cond_t never = PTHREAD_COND_INITIALIZER;
int full;

void *put(void *unused)
{
    pthread_mutex_lock(&lock);
    full = 1;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_mutex_lock(&lock);
    pthread_create(&other, 0, put, 0);
    TWINS(if, while) (!full)
        pthread_cond_wait(&ready, &lock);
    if (!full)
        pthread_cond_wait(&never, &lock); // DEADLOCK
    pthread_mutex_unlock(&lock);
    pthread_join(other, 0);
    return 0;
}
