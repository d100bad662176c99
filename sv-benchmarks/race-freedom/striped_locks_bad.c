/*
 * A hash table whose slots share few locks.
 *
 * Wrong: another stripe.
 */
#include <pthread.h>
#include <stddef.h>

#define N 2

static pthread_mutex_t stripes[4];
static int table[4];
extern int __VERIFIER_nondet_int(void);

static void *work(void *arg)
{
    int slot = __VERIFIER_nondet_int() & 3;

    pthread_mutex_lock(&stripes[(slot + (long)arg) & 3]);
    table[slot]++;
    pthread_mutex_unlock(&stripes[(slot + (long)arg) & 3]);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (int i = 0; i < 4; i++)
        pthread_mutex_init(&stripes[i], NULL);

    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, work, (void *)(long)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
