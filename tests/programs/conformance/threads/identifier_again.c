/* a new thread has the identifier of one that was joined
 * --rounds 2 */
#include "../program.h"

void *work(void *arg)
{
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, work, NULL);
    BUGGY(pthread_join(first, NULL);)
    pthread_create(&second, NULL, work, NULL);
    assert(!pthread_equal(first, second)); // FAIL
    REPAIRED(pthread_join(first, NULL);)
    pthread_join(second, NULL);
    return 0;
}
