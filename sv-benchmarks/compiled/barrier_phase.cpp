/*
 * Two workers write a cell each, meet at a barrier, read the other's cell, and go on with the next round.
 *
 *   a: is about to write its cell in the second round | b: is about to read it in the first one
 */
#include <barrier>
#include <cassert>
#include <thread>

static std::barrier<> meeting{2};
static int cells[2];

static void worker(int id)
{
    for (int round = 1; round <= 2; round++) {
        cells[id] = round; // RACE
        meeting.arrive_and_wait();
        assert(cells[1 - id] >= round); // RACE
    }
}

int main()
{
    std::thread a(worker, 0), b(worker, 1);
    a.join();
    b.join();
}
