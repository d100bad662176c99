/* two threads in one line
 * --race --rounds 5 */
#include "../program.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *one(void *arg)
{
    REPAIRED(pthread_mutex_lock(&m);)
    x = 1; // RACE
    REPAIRED(pthread_mutex_unlock(&m);)
    return 0;
}

int main(void)
{
    TWO_THREADS(one, one);
    return 0;
}
