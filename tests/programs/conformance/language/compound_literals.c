/* compound literals, also of static objects
 * --rounds 2 */
#include "../program.h"

struct range { int low, high; };

static struct range *shared = &(struct range){0, 1};
static int *numbers = (int[]){1, 2, 3};

void *worker(void *arg)
{
#ifdef BUG
    shared->low = 5;
    shared->high = 6;
#else
    static struct range other = {5, 6};

    shared = &other;
#endif
    return arg;
}

int main(void)
{
    START(t, worker);
    struct range *seen = shared;
    int low = seen->low;
    assert(low + 1 == seen->high); // FAIL
    assert(numbers[2] == 3);
    pthread_join(t, 0);
    return 0;
}
