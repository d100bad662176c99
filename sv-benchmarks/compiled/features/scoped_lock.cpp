// std::scoped_lock, std::lock and std::try_lock with the same mutexes in different orders.
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex first, second, third;
static int changes;

static void scoped()
{
    std::scoped_lock guard(first, second, third);
    changes++;
}

static void separate()
{
    std::lock(third, first);
    std::lock_guard<std::mutex> one(third, std::adopt_lock), other(first, std::adopt_lock);
    changes++;
}

static void perhaps(bool &done)
{
    done = std::try_lock(second, first) == -1;
    if (done) {
        changes++;
        second.unlock();
        first.unlock();
    }
}

int main()
{
    bool done = false;
    std::thread a(scoped), b(separate), c(perhaps, std::ref(done));
    a.join();
    b.join();
    c.join();
    assert(changes == 2 + done);
}
