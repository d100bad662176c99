/* `%`, of unsigned numbers too
 * --overflow --rounds 2
 */
#include <pthread.h>

unsigned buckets;

void *resize(void *arg)
{
    buckets = 8;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, resize, NULL);
#ifndef BUG
    pthread_join(thread, NULL);
#endif
    unsigned bucket = 17u % buckets; // FAIL
    return bucket;
}
