/* sem_close
 * --rounds 2 */
#include <fcntl.h>
#include <semaphore.h>
#include "../program.h"

void *uses(void *unused)
{
    sem_t *place = sem_open("/place", 0);
    if (place != SEM_FAILED) {
        BUGGY(sem_close(place);)
        sem_close(place);
    }
    return 0;
}

int main(void)
{
    pthread_t other;
    sem_t *place = sem_open("/place", O_CREAT, 0600, 1);
    pthread_create(&other, 0, uses, 0);
    pthread_join(other, 0);
    sem_post(place); // FAIL
    sem_close(place);
    return 0;
}
