/* Two transfers in opposite directions. std::scoped_lock takes both locks without a deadlock. */
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
    std::scoped_lock both(from.lock, to.lock);
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
