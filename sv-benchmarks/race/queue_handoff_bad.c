/*
 * Arrays are handed over through a queue of length 1: whoever takes the
 * pointer out owns the array.
 *
 * The producer goes on to write to an array that it has handed over.
 *
 *   producer: is about to store samples[1] | consumer: is about to load it
 */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *queue;

static int samples[2];
static int later[2];

static void put(int *array)
{
    pthread_mutex_lock(&lock);
    queue = array;
    pthread_mutex_unlock(&lock);
}

static int *take(void)
{
    int *array;

    pthread_mutex_lock(&lock);
    array = queue;
    queue = NULL;
    pthread_mutex_unlock(&lock);
    return array;
}

static void *producer(void *arg)
{
    (void)arg;
    samples[0] = 3;
    samples[1] = 4;
    put(samples);
    later[0] = 5;
    samples[1] = 6; // RACE
    return NULL;
}

static void *consumer(void *arg)
{
    int *sum = arg;
    int *array = take();

    if (array != NULL)
        *sum = array[0] + array[1]; // RACE
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    int sum = 0;

    pthread_create(&t1, NULL, producer, NULL);
    pthread_create(&t2, NULL, consumer, &sum);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return sum + later[0] > 20;
}
