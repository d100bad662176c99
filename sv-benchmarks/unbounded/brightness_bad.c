/*
 * Two buttons for ever: one makes a lamp brighter by any step, which never
 * makes it darker; the other switches it off.
 *
 * 256 is let through, and is 0.
 *
 *   t1: 250, then 6 brighter
 */
#include <assert.h>
#include <pthread.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
unsigned char level;

void *brighter(void *arg)
{
    (void)arg;
    for (;;) {
        unsigned char step = __VERIFIER_nondet_uchar();

        pthread_mutex_lock(&lock);
        unsigned char before = level;
        int next = level + step;
        level = next > 256 ? 255 : next;
        assert(level >= before); // FAIL
        pthread_mutex_unlock(&lock);
    }
}

void *off(void *arg)
{
    (void)arg;
    for (;;) {
        pthread_mutex_lock(&lock);
        level = 0;
        pthread_mutex_unlock(&lock);
    }
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, brighter, NULL);
    pthread_create(&t2, NULL, off, NULL);
    pthread_join(t1, NULL);
    return 0;
}
