/* PTHREAD_MUTEX_ERRORCHECK
 * --rounds 2 */
#include <errno.h>
#include "../program.h"

pthread_mutex_t lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
int count;

void *add(void *unused)
{
    pthread_mutex_lock(&lock);
    TWINS(pthread_mutex_unlock(&lock), assert(pthread_mutex_lock(&lock) == EDEADLK));
    int old = count;
    count = old + 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    START(other, add);
    add(0);
    pthread_join(other, 0);
    assert(count == 2); // FAIL
    return 0;
}
