/* Double-checked locking with an atomic pointer. */
#include <atomic>
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>

struct Settings {
    int width = 80, height = 24;
};

static std::atomic<Settings *> settings;
static std::unique_ptr<Settings> owner;
static std::mutex lock;

static const Settings &get()
{
    Settings *found = settings.load(std::memory_order_acquire);
    if (found == nullptr) {
        std::lock_guard<std::mutex> guard(lock);
        found = settings.load(std::memory_order_relaxed);
        if (found == nullptr) {
            owner = std::make_unique<Settings>();
            found = owner.get();
            settings.store(found, std::memory_order_release);
        }
    }
    return *found;
}

static void use() { assert(get().width * get().height == 1920); }

int main()
{
    std::thread a(use), b(use);
    a.join();
    b.join();
}
