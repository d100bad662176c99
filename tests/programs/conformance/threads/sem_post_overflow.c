/* sem_post fails with EOVERFLOW at SEM_VALUE_MAX
 * --rounds 2
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

sem_t places;

void *gives(void *unused)
{
    sem_post(&places);
    return 0;
}

int main(void)
{
    pthread_t other;
    sem_init(&places, 0, SEM_VALUE_MAX - 1);
    pthread_create(&other, 0, gives, 0);
#ifdef BUG
    assert(sem_post(&places) == 0); // FAIL
#else
    if (sem_post(&places) == -1)
        assert(errno == EOVERFLOW);
#endif
    return 0;
}
