/* digraphs, `static` parameters, implicit `int`, adjacent and wide strings
 * --rounds 1 --unwind 4 */
#include <assert.h>
#include "../twins.h"

static count;

length(const char text[static 1])
<%
    register n = 0;
    while (text<:n:>)
        n++;
    return n;
%>

int main(void)
{
    const void *wide = L"\u00e9" "b";
    count = length("a\x41" "b");
    assert(((int *)wide)[0] == 0xe9 && ((int *)wide)[1] == 'b' && sizeof "\e\0333" == 4 && '\e' == 27);
    TWINS(assert(count == 2), assert(count == 3 && 0b101 == 5 && 0x1p-1 == .5 && 'ab' == 24930)); // FAIL
    return 0;
}
