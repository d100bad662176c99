/* Two consumers of two items. The condition is tested again after each wait. */
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable filled;
static int items;

static void producer()
{
    for (int i = 0; i < 2; i++) {
        std::lock_guard<std::mutex> guard(lock);
        items++;
        filled.notify_one();
    }
}

static void consumer()
{
    std::unique_lock<std::mutex> guard(lock);
    while (items == 0)
        filled.wait(guard);
    assert(items > 0);
    items--;
}

int main()
{
    std::thread a(consumer), b(consumer), c(producer);
    a.join();
    b.join();
    c.join();
}
