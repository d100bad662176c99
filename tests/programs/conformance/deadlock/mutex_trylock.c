/* pthread_mutex_trylock: never blocks
 * --deadlock --rounds 2 */
#include "../program.h"

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

void *there(void *arg)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b); // DEADLOCK
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return 0;
}

void *back(void *arg)
{
    pthread_mutex_lock(&b);
    BUGGY(pthread_mutex_lock(&a);) // DEADLOCK
    BUGGY(pthread_mutex_unlock(&a);)
    REPAIRED(if (pthread_mutex_trylock(&a) == 0) pthread_mutex_unlock(&a);)
    pthread_mutex_unlock(&b);
    return 0;
}

int main(void)
{
    TWO_THREADS(there, back);
    return 0;
}
