/* A readers-writer lock of which one reader at a time may become the writer; others are refused, and leave. */
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

class UpgradeLock
{
  public:
    void lock_shared()
    {
        std::unique_lock<std::mutex> guard(lock);
        changed.wait(guard, [this] { return !writing; });
        readers++;
    }

    bool upgrade()
    {
        std::unique_lock<std::mutex> guard(lock);
        if (upgrading)
            return false;
        upgrading = true;
        changed.wait(guard, [this] { return readers == 1; });
        writing = true;
        return true;
    }

    void unlock()
    {
        std::lock_guard<std::mutex> guard(lock);
        readers--;
        if (writing)
            writing = upgrading = false;
        changed.notify_all();
    }

  private:
    std::mutex lock;
    std::condition_variable changed;
    int readers = 0;
    bool writing = false;
    bool upgrading = false;
};

static UpgradeLock protection;
static int value;

static void worker()
{
    protection.lock_shared();
    if (value == 0 && protection.upgrade())
        value = 1;
    protection.unlock();
}

int main()
{
    std::thread a(worker), b(worker);
    a.join();
    b.join();
    assert(value == 1);
}
