/*
 * The trivial race of MCP, Fig. 4: a number on the heap, to which a second thread adds 321.
 *
 * Main looks at it before the thread has ended. With -D VOLATILE it is volatile, as in the paper, and a data race.
 */
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

#ifdef VOLATILE
using Number = volatile int;
#else
using Number = std::atomic<int>;
#endif

int main()
{
    auto number = std::make_unique<Number>(123);
    std::thread child([&number] {
        int before = *number;
        *number = before + 321;
    });
    assert(*number == 444); // FAIL
    child.join();
}
