// The primitives of the standard library of C++, used correctly: one mode each. `./standard MODE` ends with 0.
#undef NDEBUG
#include <barrier>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <future>
#include <latch>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stdexcept>
#include <thread>

#include "primitives.h"

using namespace std::chrono_literals;

namespace
{

std::mutex mutex;
int shared;

void locking()
{
    std::recursive_mutex nested;
    std::timed_mutex timed;
    auto work = [&] {
        std::scoped_lock both(mutex, nested);
        std::lock_guard again(nested);
        shared++;
    };
    std::thread first(work), second(work);
    first.join();
    second.join();
    assert(shared == 2);
    std::lock_guard hold(timed);
    std::thread third([&] {
        assert(!timed.try_lock() && !timed.try_lock_for(10ms));
        assert(!timed.try_lock_until(std::chrono::system_clock::now() + 10ms));
    });
    third.join();
}

void conditions()
{
    std::condition_variable changed;
    std::condition_variable_any any;
    int turn = 0;
    std::thread other([&] {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return turn == 1; });
        turn = 2;
        any.notify_all();
    });
    std::unique_lock lock(mutex);
    turn = 1;
    changed.notify_one();
    any.wait(lock, [&] { return turn == 2; });
    auto begun = std::chrono::steady_clock::now();
    assert(changed.wait_for(lock, 100ms) == std::cv_status::timeout);
    assert(changed.wait_until(lock, std::chrono::system_clock::now() + 100ms) == std::cv_status::timeout);
    assert(std::chrono::steady_clock::now() - begun >= 200ms);
    lock.unlock();
    other.join();
    for (int round = 0; round < 2; round++) { // one is made where another was destroyed
        std::condition_variable local;
        local.notify_one();
    }
}

void sharing()
{
    std::shared_timed_mutex guarded;
    std::shared_mutex plain;
    int value = 0;
    std::thread reader([&] {
        std::shared_lock lock(guarded);
        std::shared_lock other(plain);
        assert(value % 2 == 0);
    });
    {
        std::unique_lock lock(guarded);
        value++;
        std::this_thread::yield();
        value++;
    }
    reader.join();
    std::unique_lock lock(plain);
    std::shared_lock read(guarded);
    assert(!guarded.try_lock_for(1ms) && guarded.try_lock_shared_for(1ms));
    guarded.unlock_shared();
}

struct Counted {
    explicit Counted(bool fails)
    {
        if (fails)
            throw std::runtime_error("no");
        shared++;
    }
};

Counted &counted(bool fails)
{
    static Counted counted(fails);
    return counted;
}

void once()
{
    std::once_flag flag;
    int value = 0, failures = 0;
    auto work = [&](bool fails) {
        try {
            std::call_once(flag, [&] {
                if (fails)
                    throw std::runtime_error("no");
                value++;
            });
            assert(value == 1);
        } catch (const std::runtime_error &) {
            std::lock_guard lock(mutex);
            failures++;
        }
        try {
            counted(fails);
            assert(shared == 1);
        } catch (const std::runtime_error &) {
        }
    };
    std::thread first(work, true), second(work, false), third(work, false);
    first.join();
    second.join();
    third.join();
    assert(value == 1 && failures <= 1 && shared == 1);
}

struct Owned {
    int value = 3;
    ~Owned()
    {
        std::lock_guard lock(mutex);
        shared += value;
    }
};

thread_local Owned owned;

void locals()
{
    auto work = [] { owned.value++; };
    for (int round = 1; round <= 2; round++) {
        std::thread first(work), second(work);
        first.join();
        second.join();
        std::lock_guard lock(mutex);
        assert(shared == 8 * round);
    }
}

void meeting()
{
    std::latch latch(2);
    std::barrier barrier(2, []() noexcept { shared++; });
    std::binary_semaphore semaphore(0);
    std::thread other([&] {
        latch.arrive_and_wait();
        barrier.arrive_and_wait();
        semaphore.release();
        barrier.arrive_and_wait();
    });
    latch.arrive_and_wait();
    barrier.arrive_and_wait();
    semaphore.acquire();
    barrier.arrive_and_wait();
    assert(shared == 2);
    other.join();
}

void futures()
{
    std::promise<int> promise;
    auto future = promise.get_future();
    auto answer = std::async(std::launch::async, [&] { return future.get() + 1; });
    assert(answer.wait_for(1ms) == std::future_status::timeout);
    promise.set_value(41);
    assert(answer.get() == 42);
    std::condition_variable_any changed;
    std::jthread waits([&](std::stop_token stop) {
        std::unique_lock lock(mutex);
        changed.wait(lock, stop, [] { return false; });
        assert(stop.stop_requested());
    });
}

} // namespace

int main(int count, char **words)
{
    static const mode modes[] = {
        MODE(locking), MODE(conditions), MODE(sharing), MODE(once),
        MODE(locals),  MODE(meeting),    MODE(futures), {nullptr, nullptr},
    };
    return run(modes, count, words);
}
