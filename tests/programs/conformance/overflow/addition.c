/* `+`: a counter that two threads drive beyond its type
 * --overflow --rounds 2
 */
#include <limits.h>
#include <pthread.h>

int counter;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *count(void *arg)
{
#ifndef BUG
    pthread_mutex_lock(&lock);
#endif
    if (counter < INT_MAX)
        counter++; // FAIL
#ifndef BUG
    pthread_mutex_unlock(&lock);
#endif
    return NULL;
}

int main(void)
{
    pthread_t one, other;
    counter = INT_MAX - 1;
    pthread_create(&one, NULL, count, NULL);
    pthread_create(&other, NULL, count, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
