/* clock_gettime, clock_getres: the time of day can be set back, CLOCK_MONOTONIC cannot
 * --rounds 2 */
#include <time.h>
#include "../program.h"

#define CLOCK TWINS(CLOCK_REALTIME, CLOCK_MONOTONIC)

struct timespec before;

void *starts(void *unused)
{
    clock_gettime(CLOCK, &before);
    return 0;
}

int main(void)
{
    pthread_t other;
    struct timespec after, step;
    clock_getres(CLOCK, &step);
    pthread_create(&other, 0, starts, 0);
    pthread_join(other, 0);
    clock_gettime(CLOCK, &after);
    assert(after.tv_sec >= before.tv_sec); // FAIL
    return 0;
}
