/* an index beyond the end of a string
 * --memsafety --rounds 1 */
#include "../program.h"

int digit = 16;

void *print(void *arg)
{
    TWINS(char c = "0123456789abcdef"[digit + 1], char c = "0123456789abcdef"[digit]); // FAIL
    return NULL;
}

int main(void)
{
    START(thread, print);
    pthread_join(thread, NULL);
    return 0;
}
