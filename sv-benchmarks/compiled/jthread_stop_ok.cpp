/* A jthread waits for work until it is asked to stop, which wakes it. */
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

static std::mutex lock;
static std::condition_variable_any work;

static void worker(std::stop_token stop)
{
    std::unique_lock<std::mutex> guard(lock);
    work.wait(guard, stop, [] { return false; });
}

int main()
{
    std::jthread thread(worker);
    thread.request_stop();
    work.notify_all();
}
