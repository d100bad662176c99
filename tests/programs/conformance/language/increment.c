/* `++` on a shared variable is a load and a store
 * --rounds 2 */
#include "../program.h"

int counter;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *add(void *arg)
{
    REPAIRED(pthread_mutex_lock(&lock);)
    counter++;
    REPAIRED(pthread_mutex_unlock(&lock);)
    return NULL;
}

int main(void)
{
    TWO_THREADS(add, add);
    assert(counter == 2); // FAIL
    return 0;
}
