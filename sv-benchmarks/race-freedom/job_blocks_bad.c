/*
 * Each thread gets a block and frees it.
 *
 * Wrong: main reads it again.
 */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#define N 2

struct job {
    int id;
};

static int cells[N];

static void *work(void *arg)
{
    struct job *job = arg;

    cells[job->id] = 1;
    free(job);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];

    for (int i = 0; i < N; i++) {
        struct job *job = malloc(sizeof *job);
        if (!job)
            exit(1);
        job->id = i;
        pthread_create(&threads[i], NULL, work, (void *)job);
        cells[i] = job->id;
    }
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
