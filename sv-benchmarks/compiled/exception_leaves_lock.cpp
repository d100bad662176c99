/*
 * A function that locks by hand, and throws when there is nothing to take.
 *
 *   taker: locks, finds nothing, throws | filler: waits for the lock for ever
 */
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::mutex lock;
static int items;

static void take()
{
    lock.lock();
    if (items == 0)
        throw std::runtime_error("nothing there");
    items--;
    lock.unlock();
}

static void taker()
{
    try {
        take();
    } catch (const std::runtime_error &) {
    }
}

static void filler()
{
    std::lock_guard<std::mutex> guard(lock); // DEADLOCK
    items++;
}

int main()
{
    std::thread a(filler), b(taker);
    a.join();
    b.join();
    assert(items == 0 || items == 1);
}
