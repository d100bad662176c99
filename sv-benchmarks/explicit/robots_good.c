/*
 * Two robots on a board of N x N cells, as in the "robot" example of pancam.
 * One walks through the even rows, the other one through the even columns.
 *
 * They meet only in cells of an even row and an even column.  Most cells are
 * visited by one robot alone: what happens there is nobody else's business.
 */
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 4
#endif

struct cell {
    int robot[2];
};

struct cell board[N][N];

void visit(int me, int row, int column)
{
    struct cell *here = &board[row][column];

    here->robot[me] = 1;
    if (here->robot[1 - me])
        assert(row % 2 == 0 && column % 2 == 0);
    here->robot[me] = 0;
}

void *along_rows(void *arg)
{
    (void)arg;
    for (int row = 0; row < N; row += 2)
        for (int column = 0; column < N; column++)
            visit(0, row, column);
    return NULL;
}

void *along_columns(void *arg)
{
    (void)arg;
    for (int column = 0; column < N; column += 2)
        for (int row = 0; row < N; row++)
            visit(1, row, column);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, along_rows, NULL);
    pthread_create(&t2, NULL, along_columns, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
