#include <pthread.h>

int flag;

void *worker(void *arg)
{
    while (flag == 0)
        ;
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    flag = 1;
    pthread_join(a, NULL);
    return 0;
}
