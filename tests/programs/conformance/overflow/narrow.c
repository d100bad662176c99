/* what is narrower than int is computed with as int
 * --overflow --rounds 2 */
#include <limits.h>
#include "../program.h"

signed char level = SCHAR_MAX;
short width = SHRT_MAX;
unsigned short high = USHRT_MAX;
int area;

void *raise_it(void *arg)
{
    level++;
    width += 1;
    TWINS(area = high * high, area = width * width); // FAIL
    return NULL;
}

int main(void)
{
    START(thread, raise_it);
    pthread_join(thread, NULL);
    return 0;
}
