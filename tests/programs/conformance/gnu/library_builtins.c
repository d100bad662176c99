/* functions of the C library by their built-in names, __builtin_alloca
 * --rounds 1 --unwind 8 */
#include <assert.h>
#include "../twins.h"

int main(void)
{
    const char *text = "hello";
    char *copy = __builtin_alloca(6);

    __builtin_strcpy(copy, text);
    BUGGY(copy[2] = 'L';)
    assert(__builtin_strchr(copy, 'l') == copy + 2); // FAIL
    assert(__builtin_strncmp(copy, "help", 3) == 0 && __builtin_strlen(copy) == 5);
    __builtin_memset(copy, 0, 2);
    assert(copy[1] == 0 && __builtin_abs(-3) == 3);
    return 0;
}
