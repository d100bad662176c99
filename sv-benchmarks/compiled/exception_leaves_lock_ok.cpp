/* A function that throws when there is nothing to take; a guard unlocks the mutex. */
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::mutex lock;
static int items;

static void take()
{
    std::lock_guard<std::mutex> guard(lock);
    if (items == 0)
        throw std::runtime_error("nothing there");
    items--;
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
    std::lock_guard<std::mutex> guard(lock);
    items++;
}

int main()
{
    std::thread a(filler), b(taker);
    a.join();
    b.join();
    assert(items == 0 || items == 1);
}
