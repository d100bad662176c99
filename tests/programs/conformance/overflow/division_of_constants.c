/* division by a constant that is zero
 * --overflow --rounds 1 */
#include "../program.h"

#define PARTS TWINS(0, 2)

int whole = 10;

void *work(void *arg)
{
    whole = whole / PARTS; // FAIL
    return NULL;
}

int main(void)
{
    START(thread, work);
    pthread_join(thread, NULL);
    return 0;
}
