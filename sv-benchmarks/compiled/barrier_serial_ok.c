/* After a barrier, its serial thread computes a total; the other one reads it after a second barrier. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t meeting;
static int parts[2], total;

static void *worker(void *arg)
{
    int id = *(int *)arg;

    parts[id] = id + 1;
    if (pthread_barrier_wait(&meeting) == PTHREAD_BARRIER_SERIAL_THREAD)
        total = parts[0] + parts[1];
    pthread_barrier_wait(&meeting);
    int seen = total;
    assert(seen == 3);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    int ids[2] = {0, 1};
    pthread_barrier_init(&meeting, NULL, 2);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, &ids[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    pthread_barrier_destroy(&meeting);
    return 0;
}
