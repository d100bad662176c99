/*
 * Work sharing: two workers take the index of the next job from a counter.
 *
 * The index is taken without a lock: both can get the same one and the job
 * is done twice.
 *
 *   t1: takes job 0, has not counted on | t2: takes job 0 too and begins it
 *   | t1: does job 0 once more
 */
#include <assert.h>
#include <pthread.h>

#define JOBS 2

int next = 0;
int done[JOBS];

void *worker(void *arg)
{
    (void)arg;
    for (;;) {
        int job;

        job = next;
        next = job + 1;
        if (job >= JOBS)
            break;
        done[job]++;
        assert(done[job] == 1); // FAIL
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
