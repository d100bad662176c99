/* a semaphore and a condition variable in memory that has been freed
 * --memsafety --rounds 2 */
#include <semaphore.h>
#include <stdlib.h>
#include "../program.h"

sem_t *done;

void *work(void *arg)
{
    sem_post(done); // FAIL
    return NULL;
}

int main(void)
{
    pthread_t thread;
    done = malloc(sizeof *done);
    sem_init(done, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
    REPAIRED(sem_wait(done);)
    REPAIRED(pthread_join(thread, NULL);)
    free(done);
    BUGGY(pthread_join(thread, NULL);)
    return 0;
}
