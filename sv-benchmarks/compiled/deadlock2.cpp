/*
 * Two transfers in opposite directions.
 *
 *   a: locks the first account | b: locks the second one | both wait for the other account
 */
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
    std::mutex lock;
    int balance;
};

static Account first{{}, 5}, second{{}, 5};

static void transfer(Account &from, Account &to, int amount)
{
    std::lock_guard<std::mutex> take(from.lock);
    std::lock_guard<std::mutex> give(to.lock); // DEADLOCK
    from.balance -= amount;
    to.balance += amount;
}

int main()
{
    std::thread a([] { transfer(first, second, 2); });
    std::thread b([] { transfer(second, first, 1); });
    a.join();
    b.join();
    assert(first.balance == 4 && second.balance == 6);
}
