/* `sem_getvalue` stores the value
 * --race --rounds 5 */
#include <semaphore.h>
#include "../program.h"

sem_t s;
int value, other;

void *one(void *arg)
{
    sem_getvalue(&s, &value); // RACE
    return 0;
}

void *two(void *arg)
{
    TWINS(value = 1, other = 1); // RACE
    return 0;
}

int main(void)
{
    sem_init(&s, 0, 2);
    TWO_THREADS(one, two);
    return 0;
}
