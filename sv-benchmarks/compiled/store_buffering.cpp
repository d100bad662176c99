/*
 * Two threads that announce themselves and then look for the other one; at least one sees the other.
 *
 * Relaxed: both may read the old value. Found with --weak only.
 */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x{0}, y{0};
static int first, second;

int main()
{
    std::thread a([] {
        x.store(1, std::memory_order_relaxed);
        first = y.load(std::memory_order_relaxed);
    });
    std::thread b([] {
        y.store(1, std::memory_order_relaxed);
        second = x.load(std::memory_order_relaxed);
    });
    a.join();
    b.join();
    assert(first == 1 || second == 1); // FAIL
}
