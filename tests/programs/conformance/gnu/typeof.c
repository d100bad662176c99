/* `typeof`, `__auto_type`
 * --rounds 2 */
#include "../program.h"

#define SWAP(a, b) do { typeof(a) t_ = (a); (a) = (b); (b) = t_; } while (0)

int left = 1, right = 2;
typeof(left) seen;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *swap(void *arg)
{
    pthread_mutex_lock(&lock);
    SWAP(left, right);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    START(t, swap);
    REPAIRED(pthread_mutex_lock(&lock);)
    __auto_type l = left;
    __auto_type r = right;
    REPAIRED(pthread_mutex_unlock(&lock);)
    assert(l + r == 3); // FAIL
    pthread_join(t, 0);
    return 0;
}
