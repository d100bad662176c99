/* vsnprintf, vfprintf: logging
 * --rounds 2 --unwind 2 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "../program.h"

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int errors;

void die(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    exit(1);
}

void report(int level, const char *format, ...)
{
    char line[64];
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(line, sizeof line, format, arguments) < 0)
        die("cannot print %s\n", format);
    va_end(arguments);
    pthread_mutex_lock(&lock);
    fputs(line, level ? stderr : stdout);
    REPAIRED(errors++;)
    pthread_mutex_unlock(&lock);
    BUGGY(errors++;)
}

void *work(void *arg)
{
    report(1, "thread %d\n", *(int *)arg);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int numbers[2] = {1, 2};
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, work, &numbers[i]) != 0)
            die("no thread\n");
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(errors == 2); // FAIL
    return 0;
}
