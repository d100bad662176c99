/* A message is published by a flag, with release and acquire. */
#include <atomic>
#include <cassert>
#include <thread>

static int message;
static std::atomic<bool> published{false};

static void writer()
{
    message = 42;
    published.store(true, std::memory_order_release);
}

static void reader()
{
    if (published.load(std::memory_order_acquire))
        assert(message == 42);
}

int main()
{
    std::thread a(writer), b(reader);
    a.join();
    b.join();
}
