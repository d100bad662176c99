/*
 * A thread tests a shared pointer and then uses it; another one takes the
 * pointer away.
 *
 * The pointer is read once; test and use are made with the same copy.
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *shared = NULL;

void *user(void *arg)
{
    int *mine;

    (void)arg;
    mine = shared;
    if (mine != NULL) {
        assert(mine != NULL);
        *mine = 1;
    }
    return NULL;
}

void *remover(void *arg)
{
    (void)arg;
    shared = NULL;
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    int *cell = malloc(sizeof(int));

    if (cell == NULL)
        return 0;
    *cell = 0;
    shared = cell;
    pthread_create(&t1, NULL, user, NULL);
    pthread_create(&t2, NULL, remover, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    free(cell);
    return 0;
}
