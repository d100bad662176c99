/* A coroutine moves to a thread of a pool. After it has been posted, its frame belongs to the pool. */
#include <cassert>
#include <condition_variable>
#include <coroutine>
#include <exception>
#include <mutex>
#include <queue>
#include <thread>

struct Waiting {
    std::coroutine_handle<> coroutine;
};

class Pool
{
  public:
    void post(Waiting *task)
    {
        std::lock_guard<std::mutex> guard(lock);
        tasks.push(task);
        added.notify_one();
    }

    void run_one()
    {
        std::unique_lock<std::mutex> guard(lock);
        added.wait(guard, [this] { return !tasks.empty(); });
        Waiting *task = tasks.front();
        tasks.pop();
        guard.unlock();
        task->coroutine.resume();
    }

  private:
    std::mutex lock;
    std::condition_variable added;
    std::queue<Waiting *> tasks;
};

struct Task {
    struct promise_type {
        Task get_return_object() { return {}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() { std::terminate(); }
    };
};

struct Move : Waiting {
    explicit Move(Pool &pool) : pool(pool) {}

    Pool &pool;
    int moves = 0;

    bool await_ready() { return false; }

    void await_suspend(std::coroutine_handle<> self)
    {
        coroutine = self;
        moves++;
        pool.post(this);
    }

    int await_resume() { return moves; }
};

static int result;

static Task compute(Pool &pool)
{
    int moves = co_await Move(pool);
    result = 40 + moves;
}

int main()
{
    Pool pool;
    std::thread thread([&pool] { pool.run_one(); });
    compute(pool);
    thread.join();
    assert(result == 41);
}
