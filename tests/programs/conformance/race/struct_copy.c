/* a copy of a struct while one of its members is written
 * --race --rounds 7
 */
#include <pthread.h>

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
#ifndef BUG
    pthread_mutex_lock(&m);
#endif
    to = from; // RACE
#ifndef BUG
    pthread_mutex_unlock(&m);
#endif
    return 0;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, 0, one, 0);
    pthread_create(&t2, 0, two, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
