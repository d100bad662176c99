/*
 * A filler puts two things into a box with room for one; a taker takes one.
 *
 * The filler does not look whether the box is full.  The first time that is
 * no harm, so the bug is in the second iteration.
 *
 *   t1: fills the box; second iteration: fills it once more, 2 are too many
 */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int box = 0;

void *filler(void *arg)
{
    (void)arg;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        box++;
        assert(box == 1); // FAIL
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

void *taker(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    if (box > 0)
        box--;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, filler, NULL);
    pthread_create(&t2, NULL, taker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
