/* a block that only `realloc` allocates is not freed; the program compares addresses
 * --memsafety --rounds 1 --unwind 1 */
#include <stdlib.h>
#include "../twins.h"

static int *table;

int main(void)
{
    int *before = table;
    table = realloc(table, sizeof *table);
    *table = before == table;
    TWINS(table = 0, free(table));
    return 0; // FAIL
}
