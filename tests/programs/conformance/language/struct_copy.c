/* the assignment of a struct is an access per member
 * --rounds 2 */
#include "../program.h"

struct pair {
    int low;
    struct {
        char high[2];
    } in;
} shared, *place = &shared;

void *thread(void *arg)
{
    struct pair mine = {1, {{1, 1}}};
    REPAIRED(__VERIFIER_atomic_begin();)
    *place = mine;
    REPAIRED(__VERIFIER_atomic_end();)
    return NULL;
}

int main(void)
{
    START(a, thread);
    __VERIFIER_atomic_begin();
    struct pair seen = shared;
    __VERIFIER_atomic_end();
    assert(seen.in.high[0] == seen.in.high[1]); // FAIL
    pthread_join(a, NULL);
    return 0;
}
