/* va_arg behind the last argument, or with a wrong type
 * --rounds 1 */
#include <stdarg.h>
#include "../twins.h"

int second(int first, ...)
{
    va_list list;
    va_start(list, first);
    int result = va_arg(list, int); // FAIL
    va_end(list);
    return result;
}

int main(void)
{
    second(1, 2);
    BUGGY(second(1, 2L);)
    return 0;
}
