/*
 * Workers count a latch down when their result is there. They do it too early.
 *
 *   main: is about to read a result | worker: is about to write it
 */
#include <cassert>
#include <latch>
#include <thread>

static std::latch finished{2};
static int results[2];

static void worker(int id)
{
    finished.count_down();
    results[id] = id + 1; // RACE
}

int main()
{
    std::thread a(worker, 0), b(worker, 1);
    finished.wait();
    int sum = results[0] + results[1]; // RACE
    a.join();
    b.join();
    assert(sum >= 0 && sum <= 3);
}
