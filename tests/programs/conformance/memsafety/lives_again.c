/* locals of blocks that are entered again, also behind their declarations
 * --memsafety --rounds 1 --unwind 3 */
#include "../one_thread.h"

int *seen, sum;

void *work(void *arg)
{
    for (int i = 0; i < 3; i++) {
        int here = i;
        seen = &here;
        *seen += 1;
        if (i == 0)
            continue;
        switch (i) {
            int skipped;
        case 1:
            skipped = 1;
            seen = &skipped;
            *seen += 1;
            break;
        default:
            seen = &skipped;
            *seen = 2;
        }
        sum += ({ int value = 4; seen = &value; *seen; });
        seen = &here;
    }
    BUGGY(sum += *seen;) // FAIL
    return NULL;
}
