/* `%`, of unsigned numbers too
 * --overflow --rounds 2 */
#include "../program.h"

unsigned buckets;

void *resize(void *arg)
{
    buckets = 8;
    return NULL;
}

int main(void)
{
    START(thread, resize);
    REPAIRED(pthread_join(thread, NULL);)
    unsigned bucket = 17u % buckets; // FAIL
    return bucket;
}
