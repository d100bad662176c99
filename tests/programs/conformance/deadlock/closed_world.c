/* an open wait: something outside of the program could end it, or never does (--closed-world)
 * --rounds 2 --deadlock --closed-world
 */
#include <pthread.h>
#include <unistd.h>
#include "../twins.h"

int ends[2];
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *reader(void *arg)
{
    char byte;
    pthread_mutex_lock(&mutex);
    read(TWINS(STDIN_FILENO, ends[0]), &byte, 1); // DEADLOCK
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t t;
    if (pipe(ends) != 0)
        return 1;
    pthread_create(&t, 0, reader, 0);
    write(ends[1], "x", 1);
    pthread_mutex_lock(&mutex); // DEADLOCK
    pthread_mutex_unlock(&mutex);
    pthread_join(t, 0);
    return 0;
}
