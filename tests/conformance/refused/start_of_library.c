/* A function of the library as the start function of a thread
 * --rounds 1
 */
#include <pthread.h>

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, (void *(*)(void *)) pthread_exit, 0); // REFUSED: `pthread_exit` as the start function
    return 0;
}
