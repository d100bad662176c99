/* A look-up counts itself under the write lock, after it has released the read lock. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static const int squares[4] = {0, 1, 4, 9};
static int lookups;

static void *reader(void *arg)
{
    int number = *(int *)arg;

    pthread_rwlock_rdlock(&lock);
    int value = squares[number];
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_wrlock(&lock);
    lookups++;
    pthread_rwlock_unlock(&lock);
    assert(value == number * number);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    int numbers[2] = {2, 3};
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, reader, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(lookups == 2);
    return 0;
}
