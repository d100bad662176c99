/* pthread_rwlock_wrlock: two readers, one of whom waits for the writer
 * --deadlock --rounds 2 */
#include "../program.h"

pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
pthread_mutex_t journal = PTHREAD_MUTEX_INITIALIZER;

void *reader(void *arg)
{
    pthread_rwlock_rdlock(&table);
    pthread_rwlock_unlock(&table);
    return 0;
}

void *logging_reader(void *arg)
{
    pthread_rwlock_rdlock(&table);
    REPAIRED(pthread_rwlock_unlock(&table);)
    pthread_mutex_lock(&journal); // DEADLOCK
    pthread_mutex_unlock(&journal);
    BUGGY(pthread_rwlock_unlock(&table);)
    return 0;
}

void *writer(void *arg)
{
    pthread_mutex_lock(&journal);
    pthread_rwlock_wrlock(&table); // DEADLOCK
    pthread_rwlock_unlock(&table);
    pthread_mutex_unlock(&journal);
    return 0;
}

int main(void)
{
    pthread_t t, u, v;
    pthread_create(&t, 0, reader, 0);
    pthread_create(&u, 0, logging_reader, 0);
    pthread_create(&v, 0, writer, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    pthread_join(v, 0);
    return 0;
}
