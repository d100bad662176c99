/* what a thread stores before it waits for ever for a mutex that no other thread knows
 * --rounds 2 */
#include "../program.h"

int x;

void *worker(void *arg)
{
    pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&own);
    x = 1;
    REPAIRED(x = 0;)
    pthread_mutex_lock(&own);
    return 0;
}

int main(void)
{
    START(t, worker);
    TWINS(assert(x != 1), assert(x != 2)); // FAIL
    return 0;
}
