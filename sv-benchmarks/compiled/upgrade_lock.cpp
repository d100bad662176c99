/*
 * A readers-writer lock of which a reader may become the writer when it is the only reader.
 *
 * Two readers both want to: each waits for the other to leave.
 */
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

    void upgrade()
    {
        std::unique_lock<std::mutex> guard(lock);
        changed.wait(guard, [this] { return readers == 1; }); // DEADLOCK
        writing = true;
    }

    void unlock()
    {
        std::lock_guard<std::mutex> guard(lock);
        readers--;
        writing = false;
        changed.notify_all();
    }

  private:
    std::mutex lock;
    std::condition_variable changed;
    int readers = 0;
    bool writing = false;
};

static UpgradeLock protection;
static int value;

static void worker()
{
    protection.lock_shared();
    if (value == 0) {
        protection.upgrade();
        value = 1;
    }
    protection.unlock();
}

int main()
{
    std::thread a(worker), b(worker);
    a.join();
    b.join();
    assert(value == 1);
}
