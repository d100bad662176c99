/* `++` on a shared variable is a load and a store
 * --rounds 2
 */
#include <assert.h>
#include <pthread.h>
#include "../twins.h"

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
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2); // FAIL
    return 0;
}
