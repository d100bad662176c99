/* two mutexes in opposite orders
 * --deadlock --rounds 2 */
#include "../program.h"

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int transfers;

static void transfer(pthread_mutex_t *from, pthread_mutex_t *to)
{
    pthread_mutex_lock(from);
    pthread_mutex_lock(to); // DEADLOCK
    transfers++;
    pthread_mutex_unlock(to);
    pthread_mutex_unlock(from);
}

void *there(void *arg)
{
    transfer(&a, &b);
    return 0;
}

void *back(void *arg)
{
    TWINS(transfer(&b, &a);, transfer(&a, &b);)
    return 0;
}

int main(void)
{
    TWO_THREADS(there, back);
    return 0;
}
