/*
 * A ticket lock.
 *
 * Wrong: two threads get the same ticket.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define N 2

static atomic_int next, serving;
static int total;

static void *work(void *arg)
{
    int ticket = atomic_load(&next);

    while (atomic_load(&serving) != ticket)
        ;
    total += (int)(long)arg;
    atomic_fetch_add(&serving, 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];

    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, work, (void *)(long)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
