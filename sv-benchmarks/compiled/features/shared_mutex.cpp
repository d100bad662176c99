// A std::shared_mutex: readers with a std::shared_lock, a writer with a std::unique_lock.
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex lock;
static int low, high;

static void reader()
{
    std::shared_lock<std::shared_mutex> guard(lock);
    assert(low == high);
}

static void writer()
{
    std::unique_lock<std::shared_mutex> guard(lock);
    low++;
    high++;
}

int main()
{
    std::thread a(reader), b(writer), c(reader);
    a.join();
    b.join();
    c.join();
    assert(low == 1 && high == 1);
}
