/* `*`
 * --overflow --rounds 2 */
#include "../program.h"

int scale = 1 << 20, count = 1 << 10;

void *grow(void *arg)
{
    count = 1 << 11;
    return NULL;
}

int main(void)
{
    START(thread, grow);
    TWINS(int bytes =, long bytes = (long))scale * count; // FAIL
    pthread_join(thread, NULL);
    return 0;
}
