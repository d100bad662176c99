// A std::jthread waits in a condition_variable_any until it is asked to stop; a stop_callback is called, whether it is
// registered before that or after. The first is not destroyed before request_stop returns, or it might never be called.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

static std::mutex lock;
static std::condition_variable_any changed;
static std::atomic<int> stopped{0};

static void work(std::stop_token token)
{
    std::unique_lock<std::mutex> guard(lock);
    bool found = changed.wait(guard, token, [] { return false; });
    assert(!found && token.stop_requested());
    std::stop_callback late(token, [] { stopped++; });
}

int main()
{
    {
        std::jthread worker(work);
        std::stop_callback callback(worker.get_stop_token(), [] { stopped++; });
        worker.request_stop();
    }
    assert(stopped == 2);
}
