// A std::shared_timed_mutex. What is not got in time is not done.
#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;

static std::shared_timed_mutex lock;
static int writes;

static void writer(bool &done)
{
    std::unique_lock<std::shared_timed_mutex> guard(lock, 1ms);
    done = guard.owns_lock();
    if (done)
        writes++;
}

static void reader()
{
    std::shared_lock<std::shared_timed_mutex> guard(lock, std::chrono::steady_clock::now() + 1ms);
    if (guard)
        assert(writes >= 0 && writes <= 2);
}

int main()
{
    bool first, second;
    std::thread a(writer, std::ref(first)), b(writer, std::ref(second)), c(reader);
    a.join();
    b.join();
    c.join();
    assert(writes == first + second);
}
