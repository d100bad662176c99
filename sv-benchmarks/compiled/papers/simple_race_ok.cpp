/* The program of MCP, Fig. 4, with main waiting for the thread before it looks at the number. */
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

using Number = std::atomic<int>;

int main()
{
    auto number = std::make_unique<Number>(123);
    std::thread child([&number] {
        int before = *number;
        *number = before + 321;
    });
    child.join();
    assert(*number == 444);
}
