/* a local of a thread that has ended
 * --memsafety --rounds 2
 */
#include <pthread.h>

int result;

void *compute(void *arg)
{
    int local = 42;
#ifdef BUG
    return &local;
#else
    result = local;
    return &result;
#endif
}

int main(void)
{
    pthread_t thread;
    void *found;
    pthread_create(&thread, NULL, compute, NULL);
    pthread_join(thread, &found);
    return *(int *)found; // FAIL
}
