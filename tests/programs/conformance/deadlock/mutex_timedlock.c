/* pthread_mutex_timedlock: a call with a deadline does not block for ever
 * --deadlock --rounds 2 */
#include "../program.h"

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

void *there(void *arg)
{
    struct timespec soon = { 1, 0 };
    pthread_mutex_lock(&a);
    BUGGY(pthread_mutex_lock(&b);) // DEADLOCK
    BUGGY(pthread_mutex_unlock(&b);)
    REPAIRED(if (pthread_mutex_timedlock(&b, &soon) == 0) pthread_mutex_unlock(&b);)
    pthread_mutex_unlock(&a);
    return 0;
}

void *back(void *arg)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a); // DEADLOCK
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return 0;
}

int main(void)
{
    TWO_THREADS(there, back);
    return 0;
}
