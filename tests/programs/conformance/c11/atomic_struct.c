/* `_Atomic` structs are loaded and stored whole
 * --rounds 2 */
#include "../program.h"

struct pair {
    int low, high;
};
REPAIRED(_Atomic) struct pair shared;

void *thread(void *arg)
{
    struct pair mine = {1, 1};
    shared = mine;
    return NULL;
}

int main(void)
{
    START(a, thread);
    struct pair seen = shared;
    assert(seen.low == seen.high); // FAIL
    pthread_join(a, NULL);
    return 0;
}
