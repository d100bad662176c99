/* an access in what main returns
 * --memsafety --rounds 1 */
#include "../program.h"

int codes[2];
int code;

void *fail(void *arg)
{
    BUGGY(code = 2;)
    return NULL;
}

int main(void)
{
    START(thread, fail);
    pthread_join(thread, NULL);
    return codes[code]; // FAIL
}
