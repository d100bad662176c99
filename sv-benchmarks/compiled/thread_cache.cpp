/*
 * A function that remembers its last result in a static object, which all threads share.
 *
 *   a: has stored its key | b: finds this key, and an old value
 */
#include <cassert>
#include <thread>

struct Entry {
    int key, value;
};

static int square(int number)
{
    static Entry last{0, 0};
    if (last.key != number) {         // RACE
        last.key = number;            // RACE
        last.value = number * number; // RACE
    }
    return last.value; // RACE
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
