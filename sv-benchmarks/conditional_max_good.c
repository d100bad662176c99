/*
 * Two threads report their result; the best one is kept.
 *
 * Comparing and storing are one critical section.
 */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int best = 0;

void *report(void *arg)
{
    int mine = (int)(long)arg;

    pthread_mutex_lock(&lock);
    best = mine > best ? mine : best;
    pthread_mutex_unlock(&lock);
    assert(best >= mine);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, report, (void *)1);
    pthread_create(&t2, NULL, report, (void *)2);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
