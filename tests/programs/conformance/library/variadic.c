/* variadic functions: va_start, va_arg, va_copy, va_end
 * --rounds 2 --unwind 3 */
#include <stdarg.h>
#include "../program.h"

struct pair { int a, b; };
int total;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int sum(int count, va_list list)
{
    int result = 0;
    while (count-- > 0)
        result += va_arg(list, int);
    return result;
}

void add(int count, ...)
{
    va_list list, again;
    va_start(list, count);
    va_copy(again, list);
    int first = va_arg(again, int);
    va_end(again);
    assert(first == 1);
    int more = sum(count, list);
    va_end(list);
    REPAIRED(pthread_mutex_lock(&lock);)
    total += more;
    REPAIRED(pthread_mutex_unlock(&lock);)
}

double mixed(const char *kinds, ...)
{
    va_list list;
    va_start(list, kinds);
    double result = va_arg(list, double);
    result += *va_arg(list, int *);
    result += va_arg(list, struct pair).b;
    result += (int)va_arg(list, long);
    va_end(list);
    return result;
}

void *thread(void *arg)
{
    add(2, 1, 2);
    return NULL;
}

int main(void)
{
    pthread_t t;
    void (*pointer)(int, ...) = add;
    struct pair p = {1, 2};
    int four = 4;
    pthread_create(&t, NULL, thread, NULL);
    pointer(1, (char)1);
    pthread_join(t, NULL);
    assert(mixed("dpsl", 1.5f, &four, p, 8L) == 15.5);
    assert(total == 4); // FAIL
    return 0;
}
