/* Two threads that run `one` and `two`, and are joined. */
#include "program.h"

void *one(void *);
void *two(void *);

int main(void)
{
    TWO_THREADS(one, two);
    return 0;
}
