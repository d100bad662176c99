/* One thread publishes a value, the others read it where they see the flag. */
#include "c11.h"
atomic_int flag;
int data;
void *thread(void *arg)
{
    if (!arg) {
        data = 1;
        STORE(flag, 1, REL);
    } else if (LOAD(flag, ACQ))
        assert(data == 1);
    return 0;
}
MAIN(, data == 1)
