/* arrays of variable-length arrays, and pointers to them
 * --rounds 1 --unwind 3 */
#include <assert.h>
#include "../twins.h"

int get(int rows, int columns, int m[rows][columns], int i, int j)
{
    return m[i][j];
}

int main(void)
{
    int n = 2, m = 3, grid[n][m], (*row)[m] = grid;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            grid[i][j] = 10 * i + j;
    row++;
    assert((*row)[2] == 12 && sizeof grid == 6 * sizeof(int) && row - grid == 1);
    TWINS(assert(get(3, 2, (int (*)[2])grid, 1, 0) == 10), assert(get(2, 3, grid, 1, 0) == 10)); // FAIL
    return 0;
}
