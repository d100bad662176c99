/* an index beyond a row of a two-dimensional array
 * --memsafety --rounds 1 */
#include "../program.h"

int table[3][4];
int width = 4;

void *fill(void *arg)
{
    TWINS(table[1][width] = 1, table[1][width - 1] = 1); // FAIL
    return NULL;
}

int main(void)
{
    START(thread, fill);
    pthread_join(thread, NULL);
    return 0;
}
