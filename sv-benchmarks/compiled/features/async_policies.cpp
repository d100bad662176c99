// std::async in a thread of its own, and deferred to who gets the result.
#include <cassert>
#include <future>
#include <thread>

int main()
{
    std::thread::id me = std::this_thread::get_id();
    std::future<std::thread::id> other = std::async(std::launch::async, std::this_thread::get_id);
    std::future<std::thread::id> later = std::async(std::launch::deferred, std::this_thread::get_id);
    assert(later.wait_for(std::chrono::seconds(0)) == std::future_status::deferred);
    assert(other.get() != me);
    assert(later.get() == me);
}
