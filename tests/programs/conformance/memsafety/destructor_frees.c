/* memory that a destructor of thread-specific data frees
 * --memsafety --rounds 2 --unwind 2 */
#include <stdlib.h>
#include "../program.h"

pthread_key_t key;

void *work(void *arg)
{
    pthread_setspecific(key, malloc(4));
    return NULL;
}

int main(void)
{
    pthread_t thread;
    TWINS(pthread_key_create(&key, NULL), pthread_key_create(&key, free));
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0; // FAIL
}
