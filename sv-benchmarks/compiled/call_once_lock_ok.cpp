/* Two ways to the same std::call_once; neither holds a lock when it gets there. */
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag once;
static std::mutex lock;
static int table, users;

static void cautious()
{
    std::call_once(once, [] {
        std::lock_guard<std::mutex> guard(lock);
        table = 7;
    });
    assert(table == 7);
}

static void hasty()
{
    std::call_once(once, [] { table = 7; });
    std::lock_guard<std::mutex> guard(lock);
    users++;
}

int main()
{
    std::thread a(cautious), b(hasty);
    a.join();
    b.join();
    assert(users == 1);
}
