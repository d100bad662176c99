// An exception goes from an asynchronous task to who gets its result; a broken promise is one, too.
#include <cassert>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

static int fail() { throw std::runtime_error("no result"); }

static bool has_thrown()
{
    std::future<int> result = std::async(std::launch::async, fail);
    try {
        result.get();
    } catch (const std::runtime_error &error) {
        return error.what() == std::string("no result");
    }
    return false;
}

static bool is_broken()
{
    std::promise<int> promise;
    std::future<int> result = promise.get_future();
    std::thread([](std::promise<int>) {}, std::move(promise)).join();
    try {
        result.get();
    } catch (const std::future_error &error) {
        return error.code() == std::future_errc::broken_promise;
    }
    return false;
}

int main()
{
    bool thrown = has_thrown(), broken = is_broken();
    assert(thrown && broken);
}
