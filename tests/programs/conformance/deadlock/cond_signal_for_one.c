/* pthread_cond_signal: wakes one where two wait
 * --deadlock --rounds 2 */
#include "../program.h"

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t open = PTHREAD_COND_INITIALIZER;
int is_open;

void *visitor(void *arg)
{
    pthread_mutex_lock(&lock);
    if (!is_open)
        pthread_cond_wait(&open, &lock); // DEADLOCK
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, visitor, 0);
    pthread_create(&u, 0, visitor, 0);
    pthread_mutex_lock(&lock);
    is_open = 1;
    TWINS(pthread_cond_signal(&open), pthread_cond_broadcast(&open));
    pthread_mutex_unlock(&lock);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
