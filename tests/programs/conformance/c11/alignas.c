/* _Alignas
 * --rounds 2 --unwind 2 */
#include <stdalign.h>
#include <stdint.h>
#include "../program.h"

struct slot {
    TWINS(int count, alignas(64) int count);
};

struct slot slots[2];

void *add(void *arg)
{
    struct slot *mine = arg;
    alignas(32) char copy[3] = {1};
    mine->count += copy[0];
    assert(((uintptr_t)copy & 31) == 0);
    assert(((uintptr_t)mine & 63) == 0); // FAIL
    return 0;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, add, &slots[1]);
    return alignof(struct slot) == 1;
}
