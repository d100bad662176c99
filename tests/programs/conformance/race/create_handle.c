/* `pthread_create` may store the identifier when the thread runs already
 * --race --rounds 5 --strict-posix */
#include "../program.h"

pthread_t t;

void *one(void *arg)
{
    TWINS(pthread_t self = t, pthread_t self = pthread_self()); // RACE
    (void)self;
    return 0;
}

int main(void)
{
    pthread_create(&t, 0, one, 0); // RACE
    pthread_join(t, 0);
    return 0;
}
