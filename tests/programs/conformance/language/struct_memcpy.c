/* `memcpy`, `memmove` and `memset` of one whole struct are copies of it
 * --rounds 2 */
#include <assert.h>
#include <pthread.h>

#include <string.h>
#include "../twins.h"
struct pair {
    int low, high;
} shared;

void *thread(void *arg)
{
    struct pair mine = {1, 1};
    BUGGY(memcpy(&shared, &mine, sizeof mine);)
    REPAIRED(__VERIFIER_atomic_begin();)
    REPAIRED(memmove(&shared, &mine, sizeof(struct pair));)
    REPAIRED(__VERIFIER_atomic_end();)
    return NULL;
}

int main(void)
{
    pthread_t a;
    memset(&shared, 0, sizeof shared);
    pthread_create(&a, NULL, thread, NULL);
    __VERIFIER_atomic_begin();
    assert(shared.low == shared.high); // FAIL
    __VERIFIER_atomic_end();
    pthread_join(a, NULL);
    return 0;
}
