/* a mutex whose owner has ended
 * --deadlock --rounds 2 */
#include "../program.h"

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int failed;

void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    BUGGY(if (failed) pthread_exit(0);)
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    START(t, worker);
    failed = 1;
    pthread_join(t, 0);
    pthread_mutex_lock(&lock); // DEADLOCK
    pthread_mutex_unlock(&lock);
    return 0;
}
