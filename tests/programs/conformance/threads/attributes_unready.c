/* pthread_create with attributes that are not initialised
 * --rounds 2 --unwind 1 */
#include "../program.h"

pthread_attr_t a;

void *work(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t t;
    REPAIRED(pthread_attr_init(&a);)
    pthread_create(&t, &a, work, 0); // FAIL
    pthread_join(t, 0);
    return 0;
}
