/*
 * Two robots on a board of N x N cells (-D N=4), as in pancam, Fig. 10. One walks through the even rows, the other one
 * through the even columns.
 */
#include <array>
#include <atomic>
#include <cassert>
#include <thread>

#ifndef N
#define N 2
#endif

struct Cell {
    std::atomic<bool> robots[2];
};

static std::array<std::array<Cell, N>, N> board;

static void visit(int me, int row, int column)
{
    Cell &here = board[row][column];
    here.robots[me] = true;
    if (here.robots[1 - me])
        assert(row % 2 == 0 && column % 2 == 0);
    here.robots[me] = false;
}

static void along_rows()
{
    for (int row = 0; row < N; row += 2)
        for (int column = 0; column < N; column++)
            visit(0, row, column);
}

static void along_columns()
{
    for (int column = 0; column < N; column += 2)
        for (int row = 0; row < N; row++)
            visit(1, row, column);
}

int main()
{
    std::thread t0(along_rows), t1(along_columns);
    t0.join();
    t1.join();
}
