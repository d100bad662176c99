/*
 * A size is tested, and read again for use, while another thread changes it.
 *
 *   reader: sees 2, which fits | writer: stores 9 | reader: reads 9
 *
 * The assertion fails at -O0. At -O2 the compiler reads once and the assertion is gone; the data race is not.
 */
#include <atomic>
#include <cassert>
#include <thread>

constexpr int CAPACITY = 4;

static int copied;
static int size = 2;

static void copy(int length)
{
    assert(length <= CAPACITY); // FAIL
    copied = length;
}

static void reader()
{
    if (size <= CAPACITY) // RACE
        copy(size);       // RACE
}

static void writer()
{
    size = 9; // RACE
}

int main()
{
    std::thread a(reader), b(writer);
    a.join();
    b.join();
    assert(copied == 0 || copied == 2);
}
