/* pthread_mutex_consistent */
#include <pthread.h>

pthread_mutex_t lock;

int main(void)
{
    return pthread_mutex_consistent(&lock); // REFUSED: robust mutexes are not supported
}
