/*
 * A list under a lock: append() calls reserve(), which takes the lock, too, since
 * it is called from elsewhere as well.
 *
 * The mutex is a recursive one, which lets its owner in again.
 */
#include <pthread.h>

pthread_mutex_t list;
int length;
int capacity;

static void reserve(int wanted)
{
    pthread_mutex_lock(&list);
    if (capacity < wanted)
        capacity = wanted;
    pthread_mutex_unlock(&list);
}

static void append(void)
{
    pthread_mutex_lock(&list);
    reserve(length + 1);
    length++;
    pthread_mutex_unlock(&list);
}

void *user(void *arg)
{
    (void)arg;
    append();
    return NULL;
}

int main(void)
{
    pthread_mutexattr_t kind;
    pthread_t t1, t2;

    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&list, &kind);
    pthread_create(&t1, NULL, user, NULL);
    pthread_create(&t2, NULL, user, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return length;
}
