/* an access that is only evaluated where the pointer leads somewhere
 * --memsafety --rounds 1
 */
#include <pthread.h>
#include <stddef.h>

int numbers[2] = { 4, 5 };

void *work(void *arg)
{
    int local[2] = { 1, 2 };
    int at = __VERIFIER_nondet_int();
#ifdef BUG
    int found = at >= 0 && at <= 2 && local[at] == 2; // FAIL
#else
    int found = at >= 0 && at < 2 && local[at] == 2;
    found += at < 0 || at > 1 ? 0 : local[at];
#endif
    return found ? arg : NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, numbers);
    pthread_join(thread, NULL);
    return 0;
}
