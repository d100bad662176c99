/*
 * Two threads set a flag each in the state of a device.
 *
 * The flags are bit-fields side by side, which are one memory location: a
 * store to one of them stores the other, too.
 *
 *   t1: is about to store ready | t2: is about to store failed
 */
#include <pthread.h>
#include <stddef.h>

struct device {
    unsigned int ready : 1;
    unsigned int failed : 1;
};

static struct device device;

static void *start(void *arg)
{
    (void)arg;
    device.ready = 1; // RACE
    return NULL;
}

static void *check(void *arg)
{
    (void)arg;
    device.failed = 1; // RACE
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, start, NULL);
    pthread_create(&t2, NULL, check, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return !(device.ready || device.failed);
}
