/*
 * A colour is a word of four bytes: red, green, blue, alpha.  One thread makes
 * it opaque, which is one byte of it.
 *
 * The other one stores the whole word meanwhile.
 *
 *   t1: is about to store byte 3 | t2: is about to store bytes 0 to 3
 */
#include <pthread.h>
#include <stddef.h>

static unsigned int colour;

static void *make_opaque(void *arg)
{
    unsigned char *bytes = arg;

    bytes[3] = 255; // RACE
    return NULL;
}

static void *paint(void *arg)
{
    unsigned int *word = arg;

    *word = 0x102030; // RACE
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, make_opaque, &colour);
    pthread_create(&t2, NULL, paint, &colour);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
