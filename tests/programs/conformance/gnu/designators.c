/* ranges in designators, and designators in the old style
 * --rounds 1 --unwind 6 */
#include <assert.h>
#include "../twins.h"

struct pair {
    int left, right;
};

int shared[6] = {[1 ... 3] = 7, 8};
struct pair pairs[] = {[0 ... 1] = {right : 2, left : 1}, [2] {3, 4}};

int main(void)
{
    int local[5] = {[0 ... 3] = 1, [2] = 5};
    int sum = 0;
    for (int i = 0; i < 5; i++)
        sum += local[i];
    assert(sum == 8);
    assert(sizeof pairs == 3 * sizeof(struct pair));
    assert(pairs[1].left == 1 && pairs[1].right == 2 && pairs[2].right == 4);
    BUGGY(assert(shared[4] == 7);) // FAIL
    REPAIRED(assert(shared[0] == 0 && shared[1] == 7 && shared[3] == 7 && shared[4] == 8 && shared[5] == 0);)
    return 0;
}
