/* `memset` of more than there is
 * --memsafety --rounds 1 */
#include <string.h>
#include "../program.h"

int table[4];

void *clear(void *arg)
{
    TWINS(memset(table + 1, 0, sizeof table), memset(table + 1, 0, sizeof table - sizeof table[0])); // FAIL
    return NULL;
}

int main(void)
{
    START(thread, clear);
    pthread_join(thread, NULL);
    return 0;
}
