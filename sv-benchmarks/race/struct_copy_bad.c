/*
 * One thread moves a point, another one takes a copy of it.
 *
 * The copy is made without the lock.
 *
 *   t1: has the lock, is about to store y | t2: is about to copy the point
 */
#include <pthread.h>
#include <stddef.h>
#include <string.h>

struct point {
    int x;
    int y;
    int z;
};

static struct point position = {1, 2, 3};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *climb(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    position.y = 10; // RACE
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *report(void *arg)
{
    struct point *copy = arg;

    memcpy(copy, &position, sizeof(*copy)); // RACE
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    struct point seen;

    pthread_create(&t1, NULL, climb, NULL);
    pthread_create(&t2, NULL, report, &seen);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return seen.x != 1;
}
