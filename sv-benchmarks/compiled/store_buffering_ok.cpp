/*
 * Two threads that announce themselves and then look for the other one; at least one sees the other.
 *
 * Sequentially consistent: one of them comes first.
 */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x{0}, y{0};
static int first, second;

int main()
{
    std::thread a([] {
        x.store(1, std::memory_order_seq_cst);
        first = y.load(std::memory_order_seq_cst);
    });
    std::thread b([] {
        y.store(1, std::memory_order_seq_cst);
        second = x.load(std::memory_order_seq_cst);
    });
    a.join();
    b.join();
    assert(first == 1 || second == 1);
}
