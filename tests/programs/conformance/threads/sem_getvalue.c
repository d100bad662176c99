/* sem_getvalue
 * --rounds 2 */
#include <semaphore.h>
#include "../program.h"

sem_t places;

void *takes(void *unused)
{
    sem_wait(&places);
    return 0;
}

int main(void)
{
    pthread_t other;
    int value;
    sem_init(&places, 0, 1);
    pthread_create(&other, 0, takes, 0);
#ifdef BUG
    sem_getvalue(&places, &value);
    if (value > 0)
        assert(sem_trywait(&places) == 0); // FAIL
#else
    pthread_join(other, 0);
    sem_getvalue(&places, &value);
    assert(value == 0);
#endif
    return 0;
}
