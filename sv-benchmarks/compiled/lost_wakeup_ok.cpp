/* A thread waits for a flag that is tested and set under the mutex. */
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::atomic<bool> ready{false};
static std::mutex lock;
static std::condition_variable changed;

static void waiter()
{
    std::unique_lock<std::mutex> guard(lock);
    while (!ready.load())
        changed.wait(guard);
}

static void signaller()
{
    {
        std::lock_guard<std::mutex> guard(lock);
        ready.store(true);
    }
    changed.notify_one();
}

int main()
{
    std::thread a(waiter), b(signaller);
    a.join();
    b.join();
}
