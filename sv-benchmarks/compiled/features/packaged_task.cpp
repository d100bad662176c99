// A std::packaged_task that is moved to another thread.
#include <cassert>
#include <future>
#include <thread>
#include <utility>

int main()
{
    std::packaged_task<int(int)> task([](int number) { return number * number; });
    std::future<int> result = task.get_future();
    std::thread worker(std::move(task), 7);
    assert(result.get() == 49);
    worker.join();
}
