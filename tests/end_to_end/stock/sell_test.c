#include "stock.h"

#include <assert.h>
#include <pthread.h>

static void *sell(void *unused)
{
    take();
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t sellers[SELLERS];
    int number = argc > 1 ? 1 : SELLERS;
    for (int i = 0; i < number; i++)
        pthread_create(&sellers[i], NULL, sell, NULL);
    for (int i = 0; i < number; i++)
        pthread_join(sellers[i], NULL);
    assert(left() >= 0);
    return 0;
}
