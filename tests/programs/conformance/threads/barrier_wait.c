/* pthread_barrier_wait, pthread_barrier_init, pthread_barrier_destroy
 * --rounds 2 */
#include "../program.h"

pthread_barrier_t barrier;
int parts[2];

void *part(void *arg)
{
    int *mine = arg;
    *mine = 1;
    pthread_barrier_wait(&barrier);
    return 0;
}

int main(void)
{
    pthread_t one, other;
    TWINS(pthread_barrier_init(&barrier, 0, 2), pthread_barrier_init(&barrier, 0, 3));
    pthread_create(&one, 0, part, &parts[0]);
    pthread_create(&other, 0, part, &parts[1]);
    pthread_barrier_wait(&barrier);
    assert(parts[0] + parts[1] == 2); // FAIL
    REPAIRED(pthread_barrier_destroy(&barrier);)
    return 0;
}
