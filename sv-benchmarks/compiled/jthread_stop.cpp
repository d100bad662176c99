/*
 * A jthread waits for work until it is asked to stop.
 *
 *   worker: sees no request to stop | main: requests it, notifies nobody | worker: waits for ever
 */
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

static std::mutex lock;
static std::condition_variable work;

static void worker(std::stop_token stop)
{
    std::unique_lock<std::mutex> guard(lock);
    while (!stop.stop_requested())
        work.wait(guard); // DEADLOCK
}

int main()
{
    std::jthread thread(worker);
    thread.request_stop();
    work.notify_all();
}
