/* getenv: whether a variable is set, which is the same in all threads
 * --rounds 2
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include "../twins.h"

const char *seen;

void *look(void *arg)
{
    seen = getenv("HOME");
    return arg;
}

int main(void)
{
    pthread_t t;
    const char *home = getenv("HOME");
    pthread_create(&t, 0, look, 0);
    pthread_join(t, 0);
    assert(TWINS(seen == NULL, (seen == NULL) == !home)); // FAIL
    return 0;
}
