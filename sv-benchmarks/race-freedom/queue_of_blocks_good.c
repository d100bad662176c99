/*
 * Blocks change hands through a queue under a lock.
 */
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *queue;

static void *sender(void *arg)
{
    struct node *node = malloc(sizeof *node);

    if (!node)
        return NULL;
    node->value = 1;
    pthread_mutex_lock(&lock);
    node->next = queue;
    queue = node;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *receiver(void *arg)
{
    pthread_mutex_lock(&lock);
    struct node *node = queue;
    if (node)
        queue = node->next;
    pthread_mutex_unlock(&lock);
    if (node)
        node->value++;
    return arg;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, sender, NULL);
    pthread_create(&t2, NULL, receiver, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
