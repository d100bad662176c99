/*
 * A pool of blocks: malloc makes them, a free list keeps them.
 *
 * Giving a block back is not atomic: the list's head is read before the lock
 * is taken, and a block that another thread gives back in between is lost,
 * or handed out twice.
 *
 *   t1: reads the head A | t2: takes A | t1: puts its block before A
 *   | t1: takes its own block, then A | A has two users
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define BLOCKS 3

struct block {
    struct block *next;
    int users;
    char data[40];
};

struct block *unused;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct block *take(void)
{
    struct block *block;

    pthread_mutex_lock(&lock);
    block = unused;
    if (block != NULL)
        unused = block->next;
    pthread_mutex_unlock(&lock);
    if (block == NULL)
        return NULL;
    block->users++;
    assert(block->users == 1); // FAIL
    return block;
}

void give_back(struct block *block)
{
    block->users--;
    block->next = unused;
    pthread_mutex_lock(&lock);
    unused = block;
    pthread_mutex_unlock(&lock);
}

void *worker(void *arg)
{
    struct block *first, *second;

    (void)arg;
    first = take();
    if (first != NULL)
        give_back(first);
    first = take();
    second = take();
    if (first != NULL)
        first->data[0] = 1;
    if (second != NULL)
        second->data[0] = 2;
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    for (int i = 0; i < BLOCKS; i++) {
        struct block *block = malloc(sizeof *block);

        if (block == NULL)
            return 0;
        block->users = 0;
        block->next = unused;
        unused = block;
    }
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
