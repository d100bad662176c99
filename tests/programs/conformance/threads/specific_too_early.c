/* pthread_getspecific before the key exists
 * --rounds 2 --unwind 1
 */
#include <pthread.h>

pthread_key_t key;

void *work(void *arg)
{
    return pthread_getspecific(key); // FAIL
}

int main(void)
{
    pthread_t t;
#ifdef BUG
    pthread_create(&t, 0, work, 0);
    pthread_key_create(&key, 0);
#else
    pthread_key_create(&key, 0);
    pthread_create(&t, 0, work, 0);
#endif
    pthread_join(t, 0);
    return 0;
}
