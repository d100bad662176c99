/* Two threads that run `one` and `two`, and are joined. */
#include <pthread.h>
#include "twins.h"

void *one(void *);
void *two(void *);

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, 0, one, 0);
    pthread_create(&t2, 0, two, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
