/*
 * A thread waits for a flag that is atomic, and is set without the mutex.
 *
 *   waiter: sees false | signaller: sets it, notifies nobody | waiter: waits for ever
 */
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
        changed.wait(guard); // DEADLOCK
}

static void signaller()
{
    ready.store(true);
    changed.notify_one();
}

int main()
{
    std::thread a(waiter), b(signaller);
    a.join();
    b.join();
}
