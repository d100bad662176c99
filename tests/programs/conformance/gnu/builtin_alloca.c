/* __builtin_alloca
 * --rounds 1 --unwind 1
 */
#include <assert.h>

int main(void)
{
    int *p = __builtin_alloca(2 * sizeof *p);
    p[0] = 3;
    p[1] = p[0] + 1;
#ifdef BUG
    assert(p[1] == 3); // FAIL
#else
    assert(p[1] == 4);
#endif
    return 0;
}
