/* --threads: what is created beyond the bound is cut off, and reported
 * --rounds 2 --unwind 3 --threads 2 */
#include "../program.h"

int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *work(void *arg)
{
    REPAIRED(pthread_mutex_lock(&m);)
    x++;
    REPAIRED(pthread_mutex_unlock(&m);)
    return 0;
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(x == 2); // FAIL
    pthread_create(&t[2], 0, work, 0);
    pthread_join(t[2], 0);
    assert(x == 2);
    return 0;
}
