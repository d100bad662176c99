/* A function that remembers its last result, in an object of each thread. */
#include <cassert>
#include <thread>

struct Entry {
    int key, value;
};

static int square(int number)
{
    thread_local Entry last{0, 0};
    if (last.key != number) {
        last.key = number;
        last.value = number * number;
    }
    return last.value;
}

static void worker(int number)
{
    int result = square(number);
    assert(result == number * number);
}

int main()
{
    std::thread a(worker, 3), b(worker, 3);
    a.join();
    b.join();
}
