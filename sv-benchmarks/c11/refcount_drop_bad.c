/*
 * Two owners of an object drop their references. The last one frees it.
 *
 * The count is decreased by a relaxed subtraction: the last owner need not come
 * after what the other one has done with the object.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

struct object {
    atomic_int count;
    int data[2];
};

static struct object *shared;

static void *owner(void *arg)
{
    struct object *mine = shared;
    int me = *(int *)arg;

    mine->data[me] = 1; // RACE
    if (atomic_fetch_sub_explicit(&mine->count, 1, memory_order_relaxed) == 1)
        free(mine); // RACE
    return NULL;
}

static int numbers[2] = {0, 1};

int main(void)
{
    pthread_t t1, t2;

    shared = malloc(sizeof *shared);
    atomic_init(&shared->count, 2);
    pthread_create(&t1, NULL, owner, &numbers[0]);
    pthread_create(&t2, NULL, owner, &numbers[1]);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
