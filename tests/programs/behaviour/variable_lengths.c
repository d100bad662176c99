/* Arrays whose length is known when their declaration is reached. */
#include "show.h"

static const int fixed = 3;
static int calls;

static int next(void)
{
    return ++calls;
}

static int sum(int n, int a[n])
{
    int s = 0;

    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}

static int trace(int n, int m, int a[n][m]);

static int corner(int n, int m, int (*a)[m])
{
    return a[n - 1][m - 1] * 10 + (*a)[0] + sizeof *a;
}

int main(void)
{
    int n = 3, m = 2;
    int a[n], b[next() + 2], grid[n][m], cube[2][n][m];
    int known[fixed], fives[n][5];
    const int local = 4;
    short more[local];
    typedef int row[m];
    row r, rows[2];
    int (*p)[m] = grid, (*q)[m];
    typeof(a) copy;
    int plain[2][3] = {{1, 2, 3}, {4, 5, 6}};

    n = 10;
    show(sizeof a);
    show(sizeof b / sizeof b[0]);
    show(sizeof grid * 100 + sizeof grid[0] + sizeof cube);
    show(sizeof known * 1000 + sizeof more * 100 + sizeof fives + sizeof(row) + sizeof rows + sizeof p);
    show(sizeof(char[n]) + sizeof copy);
    for (int i = 0; i < 3; i++) {
        a[i] = i + 1;
        copy[i] = known[i] = 2 * i;
        fives[i][4] = i;
        for (int j = 0; j < 2; j++) {
            grid[i][j] = 10 * i + j;
            cube[1][i][j] = 100 + grid[i][j];
            cube[0][i][j] = 0;
        }
    }
    show(sum(3, a) + sum(3, copy) * 10 + sum(3, known));
    show(trace(3, 2, grid));
    show(trace(2, 3, plain));
    show(corner(3, 2, grid));
    show(corner(2, 3, plain));
    show(p[2][1] + (*(p + 1))[0] + *p[1]);
    show((++p)[1][1]);
    show((*p++)[1]);
    q = p--;
    show(q - p);
    show(*(*(cube + 1) + 2)[0] + cube[1][2][1]);
    show((int (*)[m])&grid[1][0] - &grid[0]);
    q = &cube[1][0];
    q += 2;
    show((*q)[1] + q[-1][0]);
    r[1] = 8;
    rows[1][0] = 9;
    show(r[1] + rows[1][0] + fives[2][4]);
    for (n = 1; n < 4; n++) {
        char text[n];

        text[n - 1] = 'a' + n;
        show(sizeof text * 1000 + text[n - 1]);
    }
    __auto_type s = grid;
    show(s[1][1] + (1 ? s : q)[2][0]);
    show(*({ int t[m]; t[1] = 5; &t[1]; }));
    show(calls);
    return 0;
}

static int trace(int n, int m, int a[n][m])
{
    int s = 0;

    for (int i = 0; i < n && i < m; i++)
        s += a[i][i];
    return s * 100 + sizeof a[0];
}
