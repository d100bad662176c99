/* Arrays of arrays, pointers into them, strings. */
#include "show.h"

int matrix[3][4];
char text[] = "hello";
int cube[2][2][2] = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};
typedef int row[4];

static int total(int m[][4], int rows)
{
    int sum = 0;

    for (int i = 0; i < rows; i++)
        for (int j = 0; j < 4; j++)
            sum += m[i][j] * (i + 1);
    return sum;
}

static int sum_row(row r)
{
    return r[0] + r[1] + r[2] + r[3];
}

static int length(const char *s)
{
    const char *p = s;

    while (*p)
        p++;
    return p - s;
}

static void reverse(char *s)
{
    int i = 0, j = length(s) - 1;

    while (i < j) {
        char c = s[i];
        s[i++] = s[j];
        s[j--] = c;
    }
}

int main(void)
{
    int local[2][3] = {{1, 2, 3}, {4, 5, 6}}, *p = &local[0][0], (*pr)[3] = local, *ends[2] = {local[0], local[1] + 2};
    row *rows = matrix;
    char copy[6];

    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            matrix[i][j] = i * j + 1;
    show(total(matrix, 3));
    show(sum_row(matrix[2]));
    show(rows[1][2] + (*rows)[3]);
    show(p[4] + pr[1][0] + *(*(pr + 1) + 2) + 1[local][1]);
    show(*ends[0] + *ends[1] + ends[1][-1]);
    show(sizeof local + sizeof local[0] + sizeof *pr);
    show(cube[1][0][1] * cube[0][1][0]);
    show(&matrix[2][1] - &matrix[0][0]);
    for (int i = 0; (copy[i] = text[i]); i++)
        ;
    reverse(copy);
    show(copy[0] * 256 + copy[4]);
    show("abc"[1] + *"xyz" + sizeof "four" + sizeof "a\n\x41\0");
    show(length("tab\there") + '\\' + '\'' + '\101' + '\xff');
    local[matrix[0][0]][matrix[1][1]] += 7;
    show(local[1][2]);
    show(text[text[0] == 'h' ? 1 : 0]);
    return 0;
}
