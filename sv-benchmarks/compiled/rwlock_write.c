/*
 * A look-up under the read lock counts itself.
 *
 *   both: are about to load and to store the count
 */
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
    lookups++; // RACE
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
    assert(lookups == 1 || lookups == 2);
    return 0;
}
