/*
 * Double-checked locking with a plain pointer.
 *
 *   a: is about to store the pointer, under the lock | b: is about to test it, without the lock
 */
#include <atomic>
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>

struct Settings {
    int width = 80, height = 24;
};

static Settings *settings;
static std::unique_ptr<Settings> owner;
static std::mutex lock;

static const Settings &get()
{
    if (settings == nullptr) { // RACE
        std::lock_guard<std::mutex> guard(lock);
        if (settings == nullptr) {
            owner = std::make_unique<Settings>();
            settings = owner.get(); // RACE
        }
    }
    return *settings;
}

static void use() { assert(get().width * get().height == 1920); }

int main()
{
    std::thread a(use), b(use);
    a.join();
    b.join();
}
