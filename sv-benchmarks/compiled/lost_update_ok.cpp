/* Two threads count visitors in an int that a mutex protects. */
#include <cassert>
#include <mutex>
#include <thread>

static int visitors;
static std::mutex door;

static void enter()
{
    for (int i = 0; i < 2; i++) {
        std::lock_guard<std::mutex> guard(door);
        visitors++;
    }
}

int main()
{
    std::thread left(enter), right(enter);
    left.join();
    right.join();
    assert(visitors == 4);
}
