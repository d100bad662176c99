/*
 * A colour is a word of four bytes: red, green, blue, alpha.  One thread makes
 * it opaque, which is one byte of it.
 *
 * The other one stores bytes 0 to 2 meanwhile.  Neighbouring bytes are no race.
 */
#include <pthread.h>
#include <stddef.h>

static unsigned int colour;

static void *make_opaque(void *arg)
{
    unsigned char *bytes = arg;

    bytes[3] = 255;
    return NULL;
}

static void *paint(void *arg)
{
    unsigned char *bytes = arg;

    bytes[0] = 0x30;
    bytes[1] = 0x20;
    bytes[2] = 0x10;
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
