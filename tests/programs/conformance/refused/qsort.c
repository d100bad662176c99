/* qsort
 */
#include <stdlib.h>

int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int main(void)
{
    int numbers[2] = {2, 1};
    qsort(numbers, 2, sizeof(int), compare); // REFUSED: `qsort` is not supported
    return 0;
}
