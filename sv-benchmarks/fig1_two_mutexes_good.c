/*
 * The shape of Fig. 1 of the Lazy-CSeq paper (ASE 2015): two threads take two
 * mutexes in opposite order and update x.  Here t0 also asserts that x is
 * what it has just written, while it still holds both mutexes.  (The two
 * threads can deadlock; that is not an assertion failure.)
 */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m0, m1;
int x;

void *t0(void *arg)
{
    int l = 0;

    (void)arg;
    pthread_mutex_lock(&m0);
    pthread_mutex_lock(&m1);
    l = x + 1;
    x = l;
    assert(x == l);
    pthread_mutex_unlock(&m0);
    pthread_mutex_unlock(&m1);
    return NULL;
}

void *t1(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&m1);
    pthread_mutex_lock(&m0);
    x++;
    pthread_mutex_unlock(&m1);
    pthread_mutex_unlock(&m0);
    return NULL;
}

/* As in the figure, main does not join: it may return before the threads ran. */
int main(void)
{
    pthread_t a, b;

    pthread_mutex_init(&m0, NULL);
    pthread_mutex_init(&m1, NULL);
    pthread_create(&a, NULL, t0, NULL);
    pthread_create(&b, NULL, t1, NULL);
    return 0;
}
