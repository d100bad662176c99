/*
 * Work sharing: two workers take the index of the next job from a counter.
 *
 * The index is taken under a lock, so every job is done once.
 */
#include <assert.h>
#include <pthread.h>

#define JOBS 2

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int next = 0;
int done[JOBS];

void *worker(void *arg)
{
    (void)arg;
    for (;;) {
        int job;

        pthread_mutex_lock(&lock);
        job = next;
        next = job + 1;
        pthread_mutex_unlock(&lock);
        if (job >= JOBS)
            break;
        done[job]++;
        assert(done[job] == 1);
    }
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
