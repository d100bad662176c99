/* attributes that change nothing, `__extension__`, other spellings of keywords
 * --rounds 2 --unwind 1 */
#include "../program.h"

static __inline__ __attribute__((always_inline)) int more(__const int value) { return value + 1; }
__extension__ typedef long long wide __attribute__((unused));

[[gnu::unused]] static __volatile__ wide shared __attribute__((section("data")));
static pthread_mutex_t lock __attribute__((unused)) = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline, nonnull(1))) static void *(thread)(void *__restrict argument __attribute__((unused)))
{
    REPAIRED(pthread_mutex_lock(&lock);)
    shared = more(shared);
    REPAIRED(pthread_mutex_unlock(&lock);)
    return __extension__ 0;
}

int main(void)
{
    __attribute__((unused)) int nothing;
    TWO_THREADS(thread, thread);
    switch (shared) {
    case 1:
        nothing = 1;
        __attribute__((fallthrough));
    case 2:
        break;
    }
    assert(shared == 2); // FAIL
    return 0;
}
