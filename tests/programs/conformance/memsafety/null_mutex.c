/* a mutex that is not there
 * --memsafety --rounds 2 */
#include "../program.h"

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t *shared;

void *work(void *arg)
{
    pthread_mutex_lock(shared); // FAIL
    pthread_mutex_unlock(shared);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    REPAIRED(shared = &lock;)
    pthread_create(&thread, NULL, work, NULL);
    shared = &lock;
    pthread_join(thread, NULL);
    return 0;
}
