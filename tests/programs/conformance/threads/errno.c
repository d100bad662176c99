/* errno belongs to its thread
 * --rounds 2
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

sem_t places;
int shared_error;

void *fails(void *unused)
{
    sem_trywait(&places);
#ifdef BUG
    shared_error = errno;
#else
    assert(errno == EAGAIN);
#endif
    return 0;
}

int main(void)
{
    pthread_t other;
    sem_init(&places, 0, 0);
    errno = 0;
    pthread_create(&other, 0, fails, 0);
#ifdef BUG
    assert(shared_error == 0); // FAIL
#else
    assert(errno == 0);
#endif
    return 0;
}
