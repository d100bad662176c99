/*
 * Two threads withdraw from an atomic balance, by a load and a store.
 *
 *   a: loads 10 | b: loads 10, stores 7 | a: stores 6: b's withdrawal is lost
 */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> balance{10};

static void withdraw(int amount)
{
    int before = balance.load(std::memory_order_acquire);
    balance.store(before - amount, std::memory_order_release);
}

int main()
{
    std::thread a(withdraw, 4), b(withdraw, 3);
    a.join();
    b.join();
    assert(balance.load() == 3); // FAIL
}
