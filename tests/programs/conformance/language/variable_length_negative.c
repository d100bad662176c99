/* variable-length arrays whose length is not positive
 * --rounds 2
 */
#include <pthread.h>

int length = 1;

void *shrink(void *arg)
{
    length--;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, shrink, 0);
#ifndef BUG
    pthread_join(t, 0);
    length++;
#endif
    char text[length]; // FAIL
    text[0] = 1;
    return text[0] - 1;
}
