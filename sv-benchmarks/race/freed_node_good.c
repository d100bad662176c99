/*
 * A list with one node: one thread takes the node out and frees it, another
 * one looks at it.
 *
 * The reader keeps the lock until it has read the value.
 */
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *list;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *remove_first(void *arg)
{
    struct node *node;

    (void)arg;
    pthread_mutex_lock(&lock);
    node = list;
    list = node->next;
    pthread_mutex_unlock(&lock);
    free(node);
    return NULL;
}

static void *look(void *arg)
{
    int *seen = arg;
    struct node *node;

    pthread_mutex_lock(&lock);
    node = list;
    if (node)
        *seen = node->value;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    int seen = 0;

    list = malloc(sizeof(*list));
    list->value = 1;
    list->next = NULL;
    pthread_create(&t1, NULL, remove_first, NULL);
    pthread_create(&t2, NULL, look, &seen);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return seen > 1;
}
