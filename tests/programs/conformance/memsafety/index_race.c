/* an index that another thread moves beyond the end of an array
 * --memsafety --rounds 2 */
#include "../program.h"

int slots[4];
int used = 3;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *put(void *arg)
{
    REPAIRED(pthread_mutex_lock(&lock);)
    if (used < 4) {
        slots[used] = 1; // FAIL
        used++;
    }
    REPAIRED(pthread_mutex_unlock(&lock);)
    return NULL;
}

int main(void)
{
    TWO_THREADS(put, put);
    return 0;
}
