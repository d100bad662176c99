/* a copy of a struct while one of its members is written
 * --race --rounds 7 */
#include "../two_threads.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
struct pair {
    int a, b;
} from, to;

void *one(void *arg)
{
    pthread_mutex_lock(&m);
    from.b = 1; // RACE
    pthread_mutex_unlock(&m);
    return 0;
}

void *two(void *arg)
{
    REPAIRED(pthread_mutex_lock(&m);)
    to = from; // RACE
    REPAIRED(pthread_mutex_unlock(&m);)
    return 0;
}
