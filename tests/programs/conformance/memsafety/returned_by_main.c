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
    pthread_t thread;
    pthread_create(&thread, NULL, fail, NULL);
    pthread_join(thread, NULL);
    return codes[code]; // FAIL
}
