/* fgets, fopen, fclose
 * --unwind 2 */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include "../twins.h"

int main(void)
{
    char line[6] = "";
    FILE *file = fopen("input", "r");
    if (file == NULL)
        return 1;
    if (fgets(line, 4, file) != NULL) {
        assert(strlen(line) < 4);
        BUGGY(assert(strcmp(line, "no") != 0);) // FAIL
    }
    fclose(file);
    return 0;
}
