/* pthread_rwlock_wrlock: a reader that wants to write
 * --deadlock --rounds 2
 */
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int entries;

void *client(void *arg)
{
    pthread_rwlock_rdlock(&lock);
    if (entries == 0) {
#ifndef BUG
        pthread_rwlock_unlock(&lock);
#endif
        pthread_rwlock_wrlock(&lock); // DEADLOCK
        entries++;
    }
    pthread_rwlock_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, client, 0);
    pthread_create(&u, 0, client, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
