/* sem_init
 * --rounds 2 */
#include <semaphore.h>
#include "../program.h"

sem_t place;
int count;

void *add(void *unused)
{
    sem_wait(&place);
    int old = count;
    count = old + 1;
    sem_post(&place);
    return 0;
}

int main(void)
{
    TWINS(sem_init(&place, 0, 2), sem_init(&place, 0, 1));
    START(other, add);
    add(0);
    pthread_join(other, 0);
    assert(count == 2); // FAIL
    return 0;
}
