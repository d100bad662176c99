// A std::timed_mutex with try_lock_for and try_lock_until, and a wait that always times out.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

static std::timed_mutex lock;
static int changes, refusals[2];

static void change(int id)
{
    bool got = id == 0 ? lock.try_lock_for(1ms) : lock.try_lock_until(std::chrono::steady_clock::now() + 1ms);
    if (!got) {
        refusals[id] = 1;
        return;
    }
    changes++;
    lock.unlock();
}

int main()
{
    std::thread a(change, 0), b(change, 1);
    a.join();
    b.join();
    assert(changes + refusals[0] + refusals[1] == 2);

    std::mutex mutex;
    std::condition_variable never;
    std::unique_lock<std::mutex> guard(mutex);
    bool found = never.wait_for(guard, 1ms, [] { return false; });
    assert(!found);
}
