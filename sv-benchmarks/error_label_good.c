/*
 * Two threads claim a place; the second one should be turned away.
 *
 * Looking and claiming are one critical section.
 */
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int owners = 0;

void *claimer(void *arg)
{
    int taken;

    (void)arg;
    pthread_mutex_lock(&lock);
    taken = owners;
    if (!taken)
        owners++;
    if (owners > 1)
        goto ERROR;
    pthread_mutex_unlock(&lock);
    return NULL;

ERROR: return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, claimer, NULL);
    pthread_create(&t2, NULL, claimer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
