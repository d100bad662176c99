/* fscanf of a file that the program has written
 * --rounds 1 */
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int number = 0;
    FILE *file = fopen("numbers", "w+");
    if (file == NULL)
        return 1;
    fprintf(file, "%d", 7);
    rewind(file);
    if (fscanf(file, "%d", &number) == 1) // REFUSED: it may read what was written
        assert(number == 7);
    fclose(file);
    return 0;
}
