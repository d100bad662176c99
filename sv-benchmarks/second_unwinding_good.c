/*
 * A filler puts two things into a box with room for one; a taker takes one.
 *
 * The filler looks whether the box is full.
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
        if (box == 0) {
            box++;
            assert(box == 1);
        }
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
