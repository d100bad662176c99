/* pthread_mutex_lock, pthread_mutex_unlock
 * --rounds 2 */
#include "../program.h"

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int count;

void *add(void *unused)
{
    REPAIRED(pthread_mutex_lock(&lock);)
    int old = count;
    count = old + 1;
    REPAIRED(pthread_mutex_unlock(&lock);)
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
