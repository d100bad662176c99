/*
 * A table under a read-write lock; each look-up is counted in it.
 *
 * The look-up holds the lock for writing when it counts.
 */
#include <pthread.h>
#include <stddef.h>

static struct {
    int values[2];
    int lookups;
} table = {{10, 20}, 0};

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *look_up(void *arg)
{
    int *place = arg;

    pthread_rwlock_rdlock(&lock);
    *place = table.values[*place];
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_wrlock(&lock);
    table.lookups++;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    int one = 0, two = 1;

    pthread_create(&t1, NULL, look_up, &one);
    pthread_create(&t2, NULL, look_up, &two);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
