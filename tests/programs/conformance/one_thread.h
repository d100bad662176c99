/* A thread that runs `work`, and is joined. */
#include "program.h"

void *work(void *);

int main(void)
{
    START(thread, work);
    pthread_join(thread, 0);
    return 0;
}
