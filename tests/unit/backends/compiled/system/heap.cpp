// The heap: memory that is used correctly (the first modes), and wrongly.
#undef NDEBUG
#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <future>
#include <malloc.h>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "../primitives/primitives.h"

namespace
{

template <typename T> T *hidden(T *pointer)
{
    T *volatile copy = pointer; // from the optimiser
    return copy;
}

char *bytes(std::size_t size) { return hidden(static_cast<char *>(std::malloc(size))); }

// ---- correct ----

void containers()
{
    std::vector<std::string> texts;
    std::map<int, std::string> by_size;
    for (int n = 0; n < 200; n++)
        by_size[n] = texts.emplace_back(n, 'x');
    auto owned = std::make_shared<int>(3);
    std::thread other([owned] { assert(*owned == 3); });
    owned.reset();
    other.join();
    assert(by_size[199] == texts[199]);
}

void resized()
{
    char *text = static_cast<char *>(std::realloc(nullptr, 10));
    std::strcpy(text, "abcdefghi");
    text = static_cast<char *>(std::realloc(text, 1000));
    assert(std::strcmp(text, "abcdefghi") == 0 && malloc_usable_size(text) >= 1000);
    std::free(text);
}

void aligned()
{
    struct alignas(64) Line {
        char bytes[64];
    };
    void *block = nullptr;
    assert(posix_memalign(&block, 256, 1000) == 0 && (reinterpret_cast<std::uintptr_t>(block) & 255) == 0);
    std::free(block);
    auto line = std::make_unique<Line>();
    assert((reinterpret_cast<std::uintptr_t>(hidden(line.get())) & 63) == 0);
}

void zeroed()
{
    for (int round = 0; round < 3; round++) {
        int *numbers = hidden(static_cast<int *>(std::calloc(1000, sizeof(int))));
        for (int n = 0; n < 1000; n++) {
            assert(numbers[n] == 0);
            numbers[n] = 1;
        }
        std::free(numbers);
    }
}

void thrown()
{
    auto fails = std::async(std::launch::async, []() -> int { throw std::runtime_error(std::string(100, 'a')); });
    try {
        fails.get();
        assert(false);
    } catch (const std::runtime_error &error) {
        assert(std::string(error.what()).size() == 100);
    }
    try {
        std::size_t volatile size = std::size_t{1} << 60;
        hidden(new char[size]);
        assert(false);
    } catch (const std::bad_alloc &) {
    }
}

// ---- wrong ----

void freed_twice()
{
    char *block = bytes(8);
    std::free(block);
    std::free(hidden(block));
}

void deleted_twice()
{
    int *block = hidden(new int);
    delete block;
    delete hidden(block);
}

void inside() { std::free(hidden(bytes(80) + 8)); }

void of_stack()
{
    int block[8];
    std::free(hidden(block));
}

void used_late()
{
    char *block = bytes(36);
    std::free(block);
    std::memset(hidden(block), 0, 8);
}

void read_late()
{
    int *block = hidden(new int[9]());
    std::thread other([block] { delete[] block; });
    int volatile value = *block; // before or after
    static_cast<void>(value);
    other.join();
    assert(*hidden(block) == 0);
}

void above() { std::memset(bytes(13), 0, 14); }

void below() { std::memset(hidden(bytes(13) - 3), 0, 4); }

} // namespace

int main(int count, char **words)
{
    static const mode modes[] = {
        MODE(containers),  MODE(resized),       MODE(aligned), MODE(zeroed),       MODE(thrown),
        MODE(freed_twice), MODE(deleted_twice), MODE(inside),  MODE(of_stack),     MODE(used_late),
        MODE(read_late),   MODE(above),         MODE(below),   {nullptr, nullptr},
    };
    return run(modes, count, words);
}
