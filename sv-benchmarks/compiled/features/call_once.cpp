// std::call_once whose first call throws: the next one has to call again.
#include <atomic>
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::once_flag once;
static int calls, value;
static std::atomic<int> failures{0};

static void initialise()
{
    if (++calls == 1)
        throw std::runtime_error("try again");
    value = 42;
}

static void use()
{
    for (;;) {
        try {
            std::call_once(once, initialise);
            break;
        } catch (const std::runtime_error &) {
            failures++;
        }
    }
    assert(value == 42);
}

int main()
{
    std::thread a(use), b(use);
    a.join();
    b.join();
    assert(calls == 2 && failures == 1);
}
