/* `_Atomic` structs are loaded and stored whole
 * --rounds 2
 */
#include <assert.h>
#include <pthread.h>

struct pair {
    int low, high;
};
#ifdef BUG
struct pair shared;
#else
_Atomic struct pair shared;
#endif

void *thread(void *arg)
{
    struct pair mine = {1, 1};
    shared = mine;
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, thread, NULL);
    struct pair seen = shared;
    assert(seen.low == seen.high); // FAIL
    pthread_join(a, NULL);
    return 0;
}
