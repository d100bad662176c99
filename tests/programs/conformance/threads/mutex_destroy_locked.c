/* pthread_mutex_destroy: the mutex is locked
 * --rounds 2 */
#include "../program.h"

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *locks(void *unused)
{
    pthread_mutex_lock(&lock);
    REPAIRED(pthread_mutex_unlock(&lock);)
    return 0;
}

int main(void)
{
    START(other, locks);
    pthread_join(other, 0);
    pthread_mutex_destroy(&lock); // FAIL
    return 0;
}
