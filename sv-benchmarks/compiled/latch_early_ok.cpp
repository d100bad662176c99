/* Workers count a latch down when their result is there. */
#include <cassert>
#include <latch>
#include <thread>

static std::latch finished{2};
static int results[2];

static void worker(int id)
{
    results[id] = id + 1;
    finished.count_down();
}

int main()
{
    std::thread a(worker, 0), b(worker, 1);
    finished.wait();
    int sum = results[0] + results[1];
    a.join();
    b.join();
    assert(sum >= 0 && sum <= 3);
}
