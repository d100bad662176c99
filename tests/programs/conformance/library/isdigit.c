/* isdigit, isalpha, toupper and the like
 * --rounds 1 */
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include "../twins.h"

int main(void)
{
    int c = getchar();
    if (isalpha(c))
        TWINS(assert(toupper(c) != c), assert(isupper(toupper(c)))); // FAIL
    return 0;
}
