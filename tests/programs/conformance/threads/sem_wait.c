/* sem_wait, sem_post, sem_destroy
 * --rounds 2 */
#include <semaphore.h>
#include "../program.h"

sem_t place;
int count;

void *add(void *unused)
{
    REPAIRED(sem_wait(&place);)
    int old = count;
    count = old + 1;
    REPAIRED(sem_post(&place);)
    return 0;
}

int main(void)
{
    sem_init(&place, 1, 1);
    START(other, add);
    add(0);
    pthread_join(other, 0);
    assert(count == 2); // FAIL
    sem_destroy(&place);
    return 0;
}
