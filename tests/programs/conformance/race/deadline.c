/* the time that `pthread_cond_timedwait` reads
 * --race --rounds 9
 */
#include <pthread.h>
#include <time.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
struct timespec when, other;

void *one(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_cond_timedwait(&c, &m, &when); // RACE
    pthread_mutex_unlock(&m);
    return 0;
}

void *two(void *arg)
{
#ifdef BUG
    when.tv_sec = 1; // RACE
#else
    other.tv_sec = 1;
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
