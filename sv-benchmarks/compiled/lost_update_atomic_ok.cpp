/* Two threads withdraw from an atomic balance, in one step each. */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> balance{10};

static void withdraw(int amount) { balance.fetch_sub(amount, std::memory_order_acq_rel); }

int main()
{
    std::thread a(withdraw, 4), b(withdraw, 3);
    a.join();
    b.join();
    assert(balance.load() == 3);
}
