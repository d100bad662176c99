/* pthread_cancel: ends a wait, where cancellation is not disabled
 * --deadlock --rounds 2
 */
#include <pthread.h>
#include <semaphore.h>

sem_t never;

void *worker(void *arg)
{
#ifdef BUG
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);
#endif
    sem_wait(&never); // DEADLOCK
    return 0;
}

int main(void)
{
    pthread_t t;
    sem_init(&never, 0, 0);
    pthread_create(&t, 0, worker, 0);
    pthread_cancel(t);
    pthread_join(t, 0);
    return 0;
}
