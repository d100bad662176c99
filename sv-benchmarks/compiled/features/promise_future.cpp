// std::promise and std::future, and a std::shared_future that two threads get.
#include <cassert>
#include <future>
#include <thread>

int main()
{
    std::promise<int> promise;
    std::shared_future<int> result = promise.get_future().share();
    int seen[2] = {0, 0};
    std::thread a([&seen, result] { seen[0] = result.get(); });
    std::thread b([&seen, result] { seen[1] = result.get(); });
    promise.set_value(42);
    a.join();
    b.join();
    assert(seen[0] == 42 && seen[1] == 42);
}
