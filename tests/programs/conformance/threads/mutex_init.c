/* pthread_mutex_init, pthread_mutex_destroy
 * --rounds 2 */
#include "../program.h"

pthread_mutex_t locks[2];
pthread_t first;
int count;

void *add(void *unused)
{
    TWINS(int mine = pthread_equal(pthread_self(), first), int mine = 0);
    pthread_mutex_lock(&locks[mine]);
    int old = count;
    count = old + 1;
    pthread_mutex_unlock(&locks[mine]);
    return 0;
}

int main(void)
{
    first = pthread_self();
    pthread_mutex_init(&locks[0], 0);
    pthread_mutex_init(&locks[1], 0);
    START(other, add);
    add(0);
    pthread_join(other, 0);
    assert(count == 2); // FAIL
    pthread_mutex_destroy(&locks[0]);
    pthread_mutex_destroy(&locks[1]);
    return 0;
}
