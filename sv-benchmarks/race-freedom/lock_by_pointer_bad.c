/*
 * The lock of an object that is reached by a pointer.
 *
 * Wrong: another object's lock.
 */
#include <pthread.h>
#include <stddef.h>

#define N 2

static struct object {
    pthread_mutex_t lock;
    int value;
} one, other;

static void raise(struct object *object)
{
    pthread_mutex_lock(&other.lock);
    object->value++;
    pthread_mutex_unlock(&other.lock);
}

static void *work(void *arg)
{
    raise(&one);
    pthread_mutex_lock(&one.lock);
    one.value += (int)(long)arg;
    pthread_mutex_unlock(&one.lock);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];

    pthread_mutex_init(&one.lock, NULL);
    pthread_mutex_init(&other.lock, NULL);
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, work, (void *)(long)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
