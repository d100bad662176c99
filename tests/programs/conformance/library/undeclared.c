/* `assert` and functions of the C library without their headers
 * --rounds 2 */
#include "../program.h"

int *shared;

void *add(void *arg)
{
    ++*shared;
    return 0;
}

int main(void)
{
    pthread_t t;
    shared = malloc(sizeof *shared);
    memset(shared, 0, sizeof *shared);
    pthread_create(&t, 0, add, 0);
    REPAIRED(pthread_join(t, 0);)
    ++*shared;
    BUGGY(pthread_join(t, 0);)
    assert(*shared == 2); // FAIL
    free(shared);
    return 0;
}
