/* objects that others lead to before they are defined
 * --memsafety --rounds 1 --unwind 1
 */
#include <assert.h>

extern int items[], last;
int *first = items, *next = &last;
int items[3] = {1, 2, 3};
int last = 4;

int main(void)
{
#ifdef BUG
    int value = first[3]; // FAIL
#else
    int value = first[2];
#endif
    assert(value + *next == 7);
    return 0;
}
