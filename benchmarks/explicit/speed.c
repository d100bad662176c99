/* The model on which states per second are counted: a Fibonacci race between main and another thread, with types so
 * small that a state has 64 bytes. */
#include <assert.h>
#include <pthread.h>

#ifndef STEPS
#define STEPS 7
#endif
#ifndef MOST
#define MOST 987
#endif

unsigned short i = 1;
unsigned int j = 1;

void *other(void *arg)
{
    (void)arg;
    for (unsigned char k = 0; k < STEPS; k++)
        j += i;
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, other, NULL);
    for (unsigned char k = 0; k < STEPS; k++)
        i += j;
    pthread_join(t, NULL);
    assert(i <= MOST && j <= MOST);
    return 0;
}
