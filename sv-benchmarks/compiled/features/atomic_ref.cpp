// std::atomic_ref: plain elements of an array are atomic for a while.
#include <atomic>
#include <cassert>
#include <thread>

static int counts[2];

static void count(int id)
{
    std::atomic_ref<int>(counts[id])++;
    std::atomic_ref<int>(counts[1 - id])++;
}

int main()
{
    std::thread a(count, 0), b(count, 1);
    a.join();
    b.join();
    assert(counts[0] == 2 && counts[1] == 2);
}
