/* pthread_cancel: ends a wait, where cancellation is not disabled
 * --deadlock --rounds 2 */
#include <semaphore.h>
#include "../program.h"

sem_t never;

void *worker(void *arg)
{
    BUGGY(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);)
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
