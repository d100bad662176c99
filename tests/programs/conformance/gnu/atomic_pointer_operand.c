/* __sync_fetch_and_add of pointers
 * --rounds 2 --unwind 1 */
#include "../program.h"

static void *total;

static void *add(void *number)
{
    TWINS(total = (char *)total + (long)number, __sync_fetch_and_add(&total, number));
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, add, (void *)1);
    add((void *)2);
    pthread_join(thread, 0);
    assert(total == (void *)3); // FAIL
    return 0;
}
