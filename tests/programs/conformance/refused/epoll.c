/* epoll
 * --rounds 1 */
#include <sys/epoll.h>

int main(void)
{
    struct epoll_event event;
    int queue = epoll_create1(0); // REFUSED: it may wait for events
    return epoll_wait(queue, &event, 1, -1);
}
