/* pthread_mutex_trylock by the owner of an error-checking robust mutex: EBUSY, or EDEADLK as in glibc
 * --rounds 2 */
#include <errno.h>
#include "../program.h"

pthread_mutex_t mutex;
int count;

void *add(void *unused)
{
    pthread_mutex_lock(&mutex);
    int error = pthread_mutex_trylock(&mutex);
    assert(error == EBUSY REPAIRED(|| error == EDEADLK)); // FAIL
    count++;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void)
{
    pthread_mutexattr_t attr;

    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attr);
    START(other, add);
    add(0);
    pthread_join(other, 0);
    assert(count == 2);
    return 0;
}
