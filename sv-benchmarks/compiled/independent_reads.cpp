/*
 * Two writers and two readers, who must not see the writes in opposite orders.
 *
 * Release and acquire do not order the writes for all. Found with --weak only.
 */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x{0}, y{0};
static int x_then_y, y_then_x;

int main()
{
    std::thread a([] { x.store(1, std::memory_order_release); });
    std::thread b([] { y.store(1, std::memory_order_release); });
    std::thread c([] { x_then_y = x.load(std::memory_order_acquire) == 1 && y.load(std::memory_order_acquire) == 0; });
    std::thread d([] { y_then_x = y.load(std::memory_order_acquire) == 1 && x.load(std::memory_order_acquire) == 0; });
    a.join();
    b.join();
    c.join();
    d.join();
    assert(!x_then_y || !y_then_x); // FAIL
}
