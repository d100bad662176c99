/* two threads in one line
 * --race --rounds 5
 */
#include <pthread.h>
#include "../twins.h"

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
    pthread_t t1, t2;
    pthread_create(&t1, 0, one, 0);
    pthread_create(&t2, 0, one, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
