/* Two workers write a cell each, and read the other's; they meet at a barrier after both. */
#include <barrier>
#include <cassert>
#include <thread>

static std::barrier<> meeting{2};
static int cells[2];

static void worker(int id)
{
    for (int round = 1; round <= 2; round++) {
        cells[id] = round;
        meeting.arrive_and_wait();
        assert(cells[1 - id] == round);
        meeting.arrive_and_wait();
    }
}

int main()
{
    std::thread a(worker, 0), b(worker, 1);
    a.join();
    b.join();
}
