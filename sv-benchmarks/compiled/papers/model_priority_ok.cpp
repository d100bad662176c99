/*
 * Two threads with priorities that use a lock: see model_priority.model.c.
 *
 * The high one blocks instead of spinning, so the low one runs on.
 */
#include <atomic>
#include <cassert>
#include <mutex>
#include <semaphore>
#include <thread>

static std::mutex busy;
static std::binary_semaphore event{0};
static int value;

static void low()
{
    std::lock_guard<std::mutex> guard(busy);
    value++;
    event.release();
}

static void high()
{
    event.acquire();
    std::lock_guard<std::mutex> guard(busy);
    value++;
}

int main()
{
    std::thread a(low), b(high);
    a.join();
    b.join();
    assert(value == 2);
}
