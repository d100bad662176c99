/* `strcpy` into an array that is too short
 * --memsafety --rounds 1
 */
#include <pthread.h>
#include <string.h>

const char *name = "worker";

void *work(void *arg)
{
#ifdef BUG
    char copy[6];
#else
    char copy[7];
#endif
    strcpy(copy, name); // FAIL
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
