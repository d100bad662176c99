// A generator (coroutine) that two threads resume in turn, under a lock.
#include <cassert>
#include <coroutine>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

static std::mutex lock;

class Numbers
{
  public:
    struct promise_type {
        int value = 0;
        Numbers get_return_object() { return Numbers(std::coroutine_handle<promise_type>::from_promise(*this)); }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(int number) noexcept
        {
            value = number;
            return {};
        }
        void return_void() {}
        void unhandled_exception() { std::terminate(); }
    };

    explicit Numbers(std::coroutine_handle<promise_type> handle) : handle(handle) {}
    Numbers(Numbers &&other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
    ~Numbers()
    {
        if (handle)
            handle.destroy();
    }

    int next()
    {
        std::lock_guard<std::mutex> guard(lock);
        handle.resume();
        return handle.promise().value;
    }

  private:
    std::coroutine_handle<promise_type> handle;
};

static Numbers count()
{
    for (int i = 1;; i++)
        co_yield i;
}

int main()
{
    Numbers numbers = count();
    int sums[2] = {0, 0};
    auto work = [&](int id) {
        sums[id] += numbers.next();
        sums[id] += numbers.next();
    };
    std::thread a(work, 0), b(work, 1);
    a.join();
    b.join();
    assert(sums[0] + sums[1] == 10);
}
