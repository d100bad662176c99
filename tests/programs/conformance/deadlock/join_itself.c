/* pthread_join: of oneself
 * --deadlock --rounds 2 --unwind 2 */
#include "../program.h"

pthread_t threads[2];
pthread_mutex_t created = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    int i;
    pthread_mutex_lock(&created);
    pthread_mutex_unlock(&created);
    for (i = 0; i < 2; i++)
        REPAIRED(if (!pthread_equal(threads[i], pthread_self())))
            pthread_join(threads[i], 0); // DEADLOCK
    return 0;
}

void *other(void *arg)
{
    return 0;
}

int main(void)
{
    pthread_mutex_lock(&created);
    pthread_create(&threads[0], 0, other, 0);
    pthread_create(&threads[1], 0, worker, 0);
    pthread_mutex_unlock(&created);
    return 0;
}
