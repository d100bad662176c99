/*
 * An array of accounts with a lock each.
 *
 * Wrong: the lock of another account.
 */
#include <pthread.h>
#include <stddef.h>

#define N 2

static struct account {
    pthread_mutex_t lock;
    int balance;
} accounts[4];

static void *work(void *arg)
{
    for (int k = 0; k < 3; k++) {
        struct account *own = &accounts[k], *other = &accounts[k + (int)(long)arg];

        pthread_mutex_lock(&other->lock);
        own->balance++;
        pthread_mutex_unlock(&other->lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (int i = 0; i < 4; i++)
        pthread_mutex_init(&accounts[i].lock, NULL);

    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, work, (void *)(long)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
