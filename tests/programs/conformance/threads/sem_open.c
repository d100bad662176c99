/* sem_open, sem_unlink
 * --rounds 2 */
#include <fcntl.h>
#include <semaphore.h>
#include "../program.h"

sem_t *mine[2];
pthread_t first;
int count;

void *add(void *unused)
{
    int me = pthread_equal(pthread_self(), first);
    sem_wait(mine[me]);
    int old = count;
    count = old + 1;
    sem_post(mine[me]);
    return 0;
}

int main(void)
{
    first = pthread_self();
    mine[0] = sem_open("/place", O_CREAT, 0600, 1);
    BUGGY(sem_unlink("/place");)
    mine[1] = sem_open("/place", O_CREAT, 0600, 1);
    START(other, add);
    add(0);
    pthread_join(other, 0);
    assert(count == 2); // FAIL
    return 0;
}
