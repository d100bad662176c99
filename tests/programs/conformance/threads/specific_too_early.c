/* pthread_getspecific before the key exists
 * --rounds 2 --unwind 1 */
#include "../program.h"

pthread_key_t key;

void *work(void *arg)
{
    return pthread_getspecific(key); // FAIL
}

int main(void)
{
    pthread_t t;
    REPAIRED(pthread_key_create(&key, 0);)
    pthread_create(&t, 0, work, 0);
    BUGGY(pthread_key_create(&key, 0);)
    pthread_join(t, 0);
    return 0;
}
