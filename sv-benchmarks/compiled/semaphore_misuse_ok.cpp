/* A semaphore as a lock. Only who got it releases it. */
#include <atomic>
#include <cassert>
#include <semaphore>
#include <thread>

static std::counting_semaphore<> slot{1};
static std::atomic<int> inside{0};

static void worker()
{
    for (int i = 0; i < 2; i++) {
        if (slot.try_acquire()) {
            int others = inside.fetch_add(1);
            assert(others == 0);
            inside.fetch_sub(1);
            slot.release();
        }
    }
}

int main()
{
    std::thread a(worker), b(worker);
    a.join();
    b.join();
}
