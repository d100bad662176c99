// std::osyncstream: lines that two threads write to one stream are not mixed.
#include <cassert>
#include <sstream>
#include <string>
#include <syncstream>
#include <thread>

static std::ostringstream out;

static void print(char letter) { std::osyncstream(out) << letter << letter << letter << '\n'; }

int main()
{
    std::thread a(print, 'a'), b(print, 'b');
    a.join();
    b.join();
    std::string text = out.str();
    assert(text == "aaa\nbbb\n" || text == "bbb\naaa\n");
}
