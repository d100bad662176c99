/* errno belongs to its thread
 * --rounds 2 */
#include <errno.h>
#include <semaphore.h>
#include "../program.h"

sem_t places;
int shared_error;

void *fails(void *unused)
{
    sem_trywait(&places);
    TWINS(shared_error = errno, assert(errno == EAGAIN));
    return 0;
}

int main(void)
{
    pthread_t other;
    sem_init(&places, 0, 0);
    errno = 0;
    pthread_create(&other, 0, fails, 0);
    TWINS(assert(shared_error == 0), assert(errno == 0)); // FAIL
    return 0;
}
