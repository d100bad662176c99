/* a block that only `realloc` allocates is not freed; the program compares addresses
 * --memsafety --rounds 1 --unwind 1
 */
#include <stdlib.h>

static int *table;

int main(void)
{
    int *before = table;
    table = realloc(table, sizeof *table);
    *table = before == table;
#ifdef BUG
    table = 0;
#else
    free(table);
#endif
    return 0; // FAIL
}
