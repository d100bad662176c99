/*
 * Users without end share an object that is gone with its last reference.
 *
 * A reference is taken even if there is none left.
 *
 *   main: drops the last reference | t1: takes one, uses what is gone
 */
#include <assert.h>
#include <limits.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int references = 1;
int gone;

static int take(void)
{
    int taken = 0;

    pthread_mutex_lock(&lock);
    if (references < INT_MAX) {
        references++;
        taken = 1;
    }
    pthread_mutex_unlock(&lock);
    return taken;
}

static void drop(void)
{
    pthread_mutex_lock(&lock);
    if (--references == 0)
        gone = 1;
    pthread_mutex_unlock(&lock);
}

void *user(void *arg)
{
    (void)arg;
    if (take()) {
        assert(!gone); // FAIL
        drop();
    }
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, user, NULL);
    drop();
    for (;;)
        pthread_create(&t, NULL, user, NULL);
}
