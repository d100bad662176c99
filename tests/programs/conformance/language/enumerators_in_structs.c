/* enumerators of enumerations that are defined in structs and unions
 * --rounds 2 --unwind 1 */
#include "../program.h"

struct request {
    enum { OPEN, CLOSED } state;
    union {
        enum kind { SMALL = 4, LARGE } kind : 4;
        int number;
    };
} request;

static void *work(void *arg)
{
    request.state = CLOSED;
    request.kind = LARGE;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    TWINS(assert(request.state == OPEN), assert(request.state == CLOSED && request.kind == SMALL + 1)); // FAIL
    return 0;
}
