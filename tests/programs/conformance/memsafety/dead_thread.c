/* a local of a thread that has ended
 * --memsafety --rounds 2 */
#include "../program.h"

int result;

void *compute(void *arg)
{
    int local = 42;
    BUGGY(return &local;)
    REPAIRED(result = local;)
    REPAIRED(return &result;)
}

int main(void)
{
    pthread_t thread;
    void *found;
    pthread_create(&thread, NULL, compute, NULL);
    pthread_join(thread, &found);
    return *(int *)found; // FAIL
}
