/*
 * A pool of two workers, one job, and a shutdown that wakes those who sleep.
 *
 * The shutdown takes the lock: between looking and sleeping it cannot happen.
 */
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t work = PTHREAD_COND_INITIALIZER;
atomic_int stop;
int jobs = 1;

static int next_job(void)
{
    int found;

    pthread_mutex_lock(&lock);
    while (jobs == 0 && !stop)
        pthread_cond_wait(&work, &lock);
    found = jobs > 0;
    if (found)
        jobs--;
    pthread_mutex_unlock(&lock);
    return found;
}

void *worker(void *arg)
{
    (void)arg;
    while (next_job())
        ; /* does it */
    return NULL;
}

static void shutdown_pool(void)
{
    pthread_mutex_lock(&lock);
    stop = 1;
    pthread_cond_broadcast(&work);
    pthread_mutex_unlock(&lock);
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    shutdown_pool();
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
