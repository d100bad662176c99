/* pthread_join: a wait for a thread that is stuck ends by cancellation
 * --deadlock --rounds 2 */
#include <semaphore.h>
#include "../program.h"

sem_t never;
pthread_t stuck;

void *waiting(void *arg)
{
    sem_wait(&never); // DEADLOCK
    return 0;
}

void *joining(void *arg)
{
    pthread_join(stuck, 0);
    return 0;
}

int main(void)
{
    pthread_t t;
    sem_init(&never, 0, 0);
    pthread_create(&stuck, 0, waiting, 0);
    pthread_create(&t, 0, joining, 0);
    pthread_cancel(t);
    pthread_join(t, 0);
    BUGGY(pthread_join(stuck, 0);) // DEADLOCK
    return 0;
}
