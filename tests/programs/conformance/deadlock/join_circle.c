/* pthread_join: in a circle
 * --deadlock --rounds 2 */
#include "../program.h"

pthread_t main_thread, t;

void *worker(void *arg)
{
    BUGGY(pthread_join(main_thread, 0);) // DEADLOCK
    return 0;
}

int main(void)
{
    main_thread = pthread_self();
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0); // DEADLOCK
    return 0;
}
