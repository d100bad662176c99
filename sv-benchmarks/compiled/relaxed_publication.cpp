/*
 * A message is published by a flag that is stored and loaded with memory_order_relaxed.
 *
 * Even if the reader sees the flag, nothing orders its reading after the writing.
 */
#include <atomic>
#include <cassert>
#include <thread>

static int message;
static std::atomic<bool> published{false};

static void writer()
{
    message = 42; // RACE
    published.store(true, std::memory_order_relaxed);
}

static void reader()
{
    if (published.load(std::memory_order_relaxed))
        assert(message == 42); // RACE
}

int main()
{
    std::thread a(writer), b(reader);
    a.join();
    b.join();
}
