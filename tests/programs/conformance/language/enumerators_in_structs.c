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
    START(thread, work);
    pthread_join(thread, 0);
    TWINS(assert(request.state == OPEN), assert(request.state == CLOSED && request.kind == SMALL + 1)); // FAIL
    return 0;
}
