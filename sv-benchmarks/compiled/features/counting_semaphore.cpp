// A std::counting_semaphore of two places, and a std::binary_semaphore as a lock.
#include <atomic>
#include <cassert>
#include <semaphore>
#include <thread>

static std::counting_semaphore<2> places{2};
static std::binary_semaphore lock{1};
static std::atomic<int> inside{0};
static int visits;

static void visit()
{
    places.acquire();
    int others = inside.fetch_add(1);
    assert(others < 2);
    lock.acquire();
    visits++;
    lock.release();
    inside.fetch_sub(1);
    places.release();
}

int main()
{
    std::thread a(visit), b(visit), c(visit);
    a.join();
    b.join();
    c.join();
    assert(visits == 3);
}
