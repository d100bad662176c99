/* a thread that looks for its place in a ring, and goes on around it with BUG
 * --termination
 */
#include <pthread.h>

#ifdef BUG
enum { STEP = 2 };
#else
enum { STEP = 1 };
#endif

int place = 1;

void *search(void *unused)
{
    while (place != 0)
        place = (place + STEP) % 4;
    return unused;
}

int main(void)
{
    pthread_t searching;
    pthread_create(&searching, 0, search, 0);
    pthread_join(searching, 0);
    return 0;
}
