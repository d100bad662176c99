// A std::recursive_mutex that its owner locks once more.
#include <cassert>
#include <mutex>
#include <thread>

static std::recursive_mutex lock;
static int sum;

static void add(int depth)
{
    std::lock_guard<std::recursive_mutex> guard(lock);
    sum += depth;
    if (depth > 1)
        add(depth - 1);
}

int main()
{
    std::thread a(add, 2), b(add, 3);
    a.join();
    b.join();
    assert(sum == 9);
}
