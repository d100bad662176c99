/*
 * Each thread gets a job of its own from an array.
 */
#include <pthread.h>
#include <stddef.h>

#define N 2

static struct job {
    int from, to, sum;
} jobs[N];

static void *work(void *arg)
{
    struct job *job = arg;

    for (int k = job->from; k < job->to; k++)
        job->sum += k;
    return NULL;
}

int main(void)
{
    pthread_t threads[N];

    for (int i = 0; i < N; i++) {
        jobs[i].from = 10 * i;
        jobs[i].to = 10 * i + 10;
        pthread_create(&threads[i], NULL, work, &jobs[i]);
    }
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
