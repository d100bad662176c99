/*
 * Two threads count visitors in a plain int.
 *
 * Both load the same value and store the same successor: one visitor is lost.
 */
#include <cassert>
#include <mutex>
#include <thread>

static int visitors;
static std::mutex door; // of no use: nobody locks it

static void enter()
{
    for (int i = 0; i < 2; i++) {
        visitors++; // RACE
    }
}

int main()
{
    std::thread left(enter), right(enter);
    left.join();
    right.join();
    std::lock_guard<std::mutex> guard(door);
    assert(visitors == 4);
}
