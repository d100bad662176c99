/* pthread_rwlock_wrlock: a reader that wants to write
 * --deadlock --rounds 2 */
#include "../program.h"

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int entries;

void *client(void *arg)
{
    pthread_rwlock_rdlock(&lock);
    if (entries == 0) {
        REPAIRED(pthread_rwlock_unlock(&lock);)
        pthread_rwlock_wrlock(&lock); // DEADLOCK
        entries++;
    }
    pthread_rwlock_unlock(&lock);
    return 0;
}

int main(void)
{
    TWO_THREADS(client, client);
    return 0;
}
