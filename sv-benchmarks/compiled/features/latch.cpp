// A std::latch: two threads arrive and wait, main only waits.
#include <cassert>
#include <latch>
#include <thread>

int main()
{
    std::latch arrived{2};
    int parts[2] = {0, 0}, sums[2] = {0, 0};
    auto work = [&](int id) {
        parts[id] = id + 1;
        arrived.arrive_and_wait();
        sums[id] = parts[0] + parts[1];
    };
    std::thread a(work, 0), b(work, 1);
    arrived.wait();
    assert(arrived.try_wait() && parts[0] == 1 && parts[1] == 2);
    a.join();
    b.join();
    assert(sums[0] == 3 && sums[1] == 3);
}
