/*
 * A producer hands two letters, 1 and 2, to a consumer over one slot.
 *
 * The consumer reads the slot after it has given it free.
 *
 *   p: puts 1, waits for room | c: gives the slot free | p: puts 2
 *   | c: reads 2, expects 1
 */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
pthread_cond_t emptied = PTHREAD_COND_INITIALIZER;
int full = 0;
int slot = 0;

void *producer(void *arg)
{
    (void)arg;
    for (int i = 1; i <= 2; i++) {
        pthread_mutex_lock(&lock);
        while (full)
            pthread_cond_wait(&emptied, &lock);
        slot = i;
        full = 1;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

void *consumer(void *arg)
{
    (void)arg;
    for (int i = 1; i <= 2; i++) {
        int letter;

        pthread_mutex_lock(&lock);
        while (!full)
            pthread_cond_wait(&filled, &lock);
        full = 0;
        pthread_cond_signal(&emptied);
        pthread_mutex_unlock(&lock);
        letter = slot;
        assert(letter == i); // FAIL
    }
    return NULL;
}

int main(void)
{
    pthread_t p, c;

    pthread_create(&p, NULL, producer, NULL);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_join(p, NULL);
    pthread_join(c, NULL);
    return 0;
}
