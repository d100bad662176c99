/*
 * Two threads set a flag each in the state of a device.
 *
 * Between the flags is a bit-field of width 0, which starts a new memory location.
 */
#include <pthread.h>
#include <stddef.h>

struct device {
    unsigned int ready : 1;
    unsigned int : 0;
    unsigned int failed : 1;
};

static struct device device;

static void *start(void *arg)
{
    (void)arg;
    device.ready = 1;
    return NULL;
}

static void *check(void *arg)
{
    (void)arg;
    device.failed = 1;
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
