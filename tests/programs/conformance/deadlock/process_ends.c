/* who waits for ever while main goes on is not stuck: main ends the process
 * --deadlock --rounds 2 */
#include "../program.h"

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t never = PTHREAD_COND_INITIALIZER;

void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&never, &lock); // DEADLOCK
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    START(t, worker);
    BUGGY(pthread_exit(0);)
    return 0;
}
