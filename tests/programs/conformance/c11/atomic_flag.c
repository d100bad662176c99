/* atomic_flag_test_and_set, atomic_flag_clear, ATOMIC_FLAG_INIT
 * --rounds 2 */
#include <stdatomic.h>
#include "../program.h"

atomic_flag flag = ATOMIC_FLAG_INIT;
int count;

void *thread(void *arg)
{
    REPAIRED(while (atomic_flag_test_and_set(&flag)) {})
    count++;
    atomic_flag_clear(&flag);
    return NULL;
}

int main(void)
{
    TWO_THREADS(thread, thread);
    assert(count == 2); // FAIL
    return 0;
}
