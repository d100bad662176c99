/*
 * Two threads with priorities that use a spin lock: see model_priority.model.c. Any fair scheduler lets both end.
 *
 *   low (1): has the lock, wakes high | high (2): spins on the lock for ever, for low does not run any more
 */
#include <atomic>
#include <cassert>
#include <mutex>
#include <semaphore>
#include <thread>

static std::atomic_flag busy = ATOMIC_FLAG_INIT;
static std::binary_semaphore event{0};
static int value;

static void low()
{
    while (busy.test_and_set())
        ;
    value++;
    event.release();
    busy.clear();
}

static void high()
{
    event.acquire();
    while (busy.test_and_set())
        ; // HANG
    value++;
    busy.clear();
}

int main()
{
    std::thread a(low), b(high);
    a.join();
    b.join();
    assert(value == 2);
}
