/* a detached thread, and a semaphore that says it is done
 * --race --rounds 7 */
#include <semaphore.h>
#include "../program.h"

sem_t done;
int x;

void *one(void *arg)
{
    x = 1; // RACE
    sem_post(&done);
    return 0;
}

int main(void)
{
    pthread_t t;
    sem_init(&done, 0, 0);
    pthread_create(&t, 0, one, 0);
    pthread_detach(t);
    REPAIRED(sem_wait(&done);)
    x = 2; // RACE
    return 0;
}
