/*
 * A function that returns its text in a static buffer, as strerror may do.
 *
 * The buffer is shared by all threads.
 *
 *   t1, t2: both are about to store a character
 */
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static char *digit(int n)
{
    static char text[2];

    if (n < 0 || n > 9) {
        errno = EDOM;
        return NULL;
    }
    errno = 0;
    text[0] = '0' + n; // RACE
    return text;
}

static void *show(void *arg)
{
    int *n = arg;
    char *text = digit(*n);

    *n = errno == 0 && text != NULL;
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    int one = 1, two = 2;

    pthread_create(&t1, NULL, show, &one);
    pthread_create(&t2, NULL, show, &two);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return !(one && two);
}
