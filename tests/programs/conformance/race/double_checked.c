/* double-checked locking of a flag that is not atomic
 * --race --rounds 9 */
#include "../program.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
REPAIRED(_Atomic) int ready;
int x;

void *one(void *arg)
{
    if (!ready) { // RACE
        pthread_mutex_lock(&m);
        if (!ready) {
            x = 1;
            ready = 1; // RACE
        }
        pthread_mutex_unlock(&m);
    }
    (void)arg;
    return 0;
}

int main(void)
{
    START(t, one);
    one(0);
    pthread_join(t, 0);
    return x - 1;
}
