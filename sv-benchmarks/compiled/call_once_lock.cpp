/*
 * Two ways to the same std::call_once: one of them holds a lock while it may have to wait for the other one.
 *
 *   a: is in the initialisation, about to lock | b: has the lock, waits for the initialisation
 */
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
    std::lock_guard<std::mutex> guard(lock);
    std::call_once(once, [] { table = 7; }); // DEADLOCK
    users++;
}

int main()
{
    std::thread a(cautious), b(hasty);
    a.join();
    b.join();
    assert(users == 1);
}
