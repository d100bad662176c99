/*
 * A reading of an instrument, as a number and as a text.
 *
 * The two are members of a union: whoever writes one writes the other.
 *
 *   t1: is about to store the number | t2: is about to store a character of the text
 */
#include <pthread.h>
#include <stddef.h>

static union {
    int number;
    char text[8];
} reading;

static void *measure(void *arg)
{
    (void)arg;
    reading.number = 42; // RACE
    return NULL;
}

static void *mark(void *arg)
{
    (void)arg;
    reading.text[1] = '?'; // RACE
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, measure, NULL);
    pthread_create(&t2, NULL, mark, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
