/* isdigit, isalpha, toupper and the like
 * --rounds 1
 */
#include <assert.h>
#include <ctype.h>
#include <stdio.h>

int main(void)
{
    int c = getchar();
    if (isalpha(c))
#ifdef BUG
        assert(toupper(c) != c); // FAIL
#else
        assert(isupper(toupper(c)));
#endif
    return 0;
}
