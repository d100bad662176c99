/*
 * Two threads swap the contents of two cups with the help of a third one.
 *
 * Only one of them at a time uses the third cup.
 */
#include <pthread.h>

extern void reach_error(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int left = 1;
int right = 2;
int spare;

void check(int condition)
{
    if (!condition) {
        reach_error();
    }
}

void *swap(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    spare = left;
    left = right;
    right = spare;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, swap, NULL);
    pthread_create(&t2, NULL, swap, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    check(left + right == 3);
    return 0;
}
