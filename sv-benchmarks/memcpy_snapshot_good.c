/*
 * A writer changes two fields under a lock; a reader copies the struct.
 *
 * The reader takes the lock.
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct point {
    int x;
    int y;
};

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct point position;

void *writer(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    position.x = 1;
    position.y = 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

void *reader(void *arg)
{
    struct point copy;

    (void)arg;
    pthread_mutex_lock(&lock);
    memcpy(&copy, &position, sizeof(copy));
    pthread_mutex_unlock(&lock);
    assert(copy.x == copy.y);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    memset(&position, 0, sizeof(position));
    pthread_create(&t1, NULL, writer, NULL);
    pthread_create(&t2, NULL, reader, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
