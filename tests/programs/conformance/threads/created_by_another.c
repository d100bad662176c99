/* a thread that outlives the one that has created it, which main has joined
 * --rounds 3 */
#include "../program.h"

int x, y = 1;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *child(void *arg)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    x = 0;
    y = 0;
    return 0;
}

void *parent(void *arg)
{
    START(t, child);
    REPAIRED(pthread_join(t, 0);)
    return 0;
}

int main(void)
{
    START(t, parent);
    pthread_join(t, 0);
    x = y;
    int seen = x + 10 * y;
    assert(seen != 1); // FAIL
    return 0;
}
