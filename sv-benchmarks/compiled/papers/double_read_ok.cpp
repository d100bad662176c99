/* A size is read once, tested and used. */
#include <atomic>
#include <cassert>
#include <thread>

constexpr int CAPACITY = 4;

static int copied;
static std::atomic<int> size = 2;

static void copy(int length)
{
    assert(length <= CAPACITY);
    copied = length;
}

static void reader()
{
    int length = size;
    if (length <= CAPACITY)
        copy(length);
}

static void writer() { size = 9; }

int main()
{
    std::thread a(reader), b(writer);
    a.join();
    b.join();
    assert(copied == 0 || copied == 2);
}
