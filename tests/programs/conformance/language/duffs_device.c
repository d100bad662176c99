/* case labels inside of a loop (Duff's device)
 * --rounds 2 --unwind 2 */
#include "../program.h"

int from[3] = {1, 2, 3}, to[3];
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void copy(int *target, const int *source, int count)
{
    int n = (count + 1) / 2;

    switch (count % 2) {
    case 0:
        do {
            *target++ = *source++;
    case 1:
            *target++ = *source++;
        } while (--n > 0);
    }
}

void *writer(void *arg)
{
    pthread_mutex_lock(&lock);
    from[0] = 5;
    from[2] = 5;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    START(t, writer);
    REPAIRED(pthread_mutex_lock(&lock);)
    copy(to, from, 3);
    REPAIRED(pthread_mutex_unlock(&lock);)
    assert(to[1] == 2);
    assert((to[0] == 5) == (to[2] == 5)); // FAIL
    pthread_join(t, NULL);
    return 0;
}
