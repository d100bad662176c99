/* Two threads increment x, main joins them and claims that it is 2. */
#define THREADS 3
#include "steps.h"

STATE int x, copy[THREADS];
#ifndef BUG
STATE char lock;
#endif

static void step(unsigned int thread)
{
    if (thread == 0) {
        switch (at[0]++) {
        case 1:
        case 2:
            at[at[0] - 1] = 10; /* creates 1, then 2 */
            break;
        case 3:
            JOIN(1);
            break;
        case 4:
            JOIN(2);
            break;
        case 5:
            READ(x);
            ASSERT(x == 2);
            END(0);
        }
        return;
    }
    switch (at[thread]++) {
    case 10:
#ifndef BUG
        LOCK(lock, thread);
#endif
        break;
    case 11:
        READ(x);
        copy[thread] = x;
        break;
    case 12:
        WRITE(x);
        x = copy[thread] + 1;
        copy[thread] = 0;
        break;
    case 13:
#ifndef BUG
        UNLOCK(lock);
#endif
        break;
    case 14:
        END(thread);
    }
}
