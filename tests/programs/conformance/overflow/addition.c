/* `+`: a counter that two threads drive beyond its type
 * --overflow --rounds 2 */
#include <limits.h>
#include "../program.h"

int counter;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *count(void *arg)
{
    REPAIRED(pthread_mutex_lock(&lock);)
    if (counter < INT_MAX)
        counter++; // FAIL
    REPAIRED(pthread_mutex_unlock(&lock);)
    return NULL;
}

int main(void)
{
    counter = INT_MAX - 1;
    TWO_THREADS(count, count);
    return 0;
}
