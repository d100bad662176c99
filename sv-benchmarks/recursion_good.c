/*
 * Two threads run a recursive function; each activation has its own `mine`.
 *
 * The box is written and read under a lock.
 */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int box = 0;

void fill(int level)
{
    int mine = level;

    if (level > 1)
        fill(level - 1);
    pthread_mutex_lock(&lock);
    box = mine;
    assert(box == level);
    pthread_mutex_unlock(&lock);
}

void *filler(void *arg)
{
    (void)arg;
    fill(2);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, filler, NULL);
    pthread_create(&t2, NULL, filler, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
