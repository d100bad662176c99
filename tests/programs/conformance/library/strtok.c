/* strtok, strtok_r, strsep
 * --rounds 1 */
#include <assert.h>
#include <string.h>
#include "../twins.h"

int main(void)
{
    char one[] = ",a,,b", two[] = "c;d", three[] = "e,,f", *rest, *left = three;
    assert(strtok(one, ",") == one + 1 && strtok(NULL, ",") == one + 4 && strtok(NULL, ",") == NULL);
    assert(strtok_r(two, ";", &rest) == two && strtok_r(NULL, ";", &rest) == two + 2);
    assert(strsep(&left, ",") == three);
    BUGGY(assert(strsep(&left, ",") == three + 3);) // FAIL
    return 0;
}
