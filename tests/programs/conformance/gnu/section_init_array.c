/* functions whose addresses are in the sections `.init_array` and `.fini_array`
 * --rounds 2 --unwind 2 */
#include "../program.h"

static int order;

static void first(void)
{
    order = order * 10 + 1;
}

static void second(void)
{
    order = order * 10 + 2;
}

static void third(void)
{
    order = order * 10 + 3;
}

static void last(void)
{
    assert(order == TWINS(12354, 12345)); // FAIL
}

static void before_last(void)
{
    order = order * 10 + 5;
}

static void *worker(void *arg)
{
    order = order * 10 + 4;
    return arg;
}

__attribute__((section(".fini_array"), used)) static void (*ends)(void) = last;
__attribute__((section(".fini_array"), used)) static void (*ends_before)(void) = before_last;
__attribute__((section(".init_array"), used)) static void (*starts)(void) = second;
__attribute__((section(".init_array"), used)) static void (*starts_then)(void) = &third;
__attribute__((section(".preinit_array"), used)) static void (*begins)(void) = first;

int main(void)
{
    START(thread, worker);
    pthread_join(thread, 0);
    return 0;
}
