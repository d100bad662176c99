/* sem_open: a semaphore with a name
 * --deadlock --rounds 2 */
#include <fcntl.h>
#include <semaphore.h>
#include "../program.h"

void *worker(void *arg)
{
    sem_t *s = sem_open("/s", O_CREAT, 0600, 0);
    REPAIRED(sem_post(s);)
    sem_close(s);
    return 0;
}

int main(void)
{
    pthread_t t;
    sem_t *s = sem_open("/s", O_CREAT, 0600, 0);
    pthread_create(&t, 0, worker, 0);
    sem_wait(s); // DEADLOCK
    return 0;
}
