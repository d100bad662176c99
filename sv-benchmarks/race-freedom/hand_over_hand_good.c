/*
 * A list is walked hand over hand.
 */
#include <pthread.h>
#include <stddef.h>

#define N 2

static struct node {
    pthread_mutex_t lock;
    int value;
    struct node *next;
} nodes[3];

static void *work(void *arg)
{
    struct node *node = &nodes[0];

    pthread_mutex_lock(&node->lock);
    while (node->next) {
        struct node *next = node->next;

        pthread_mutex_lock(&next->lock);
        pthread_mutex_unlock(&node->lock);
        next->value += (int)(long)arg;
        node = next;
    }
    node->value++;
    pthread_mutex_unlock(&node->lock);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (int i = 0; i < 3; i++)
        pthread_mutex_init(&nodes[i].lock, NULL);
    nodes[0].next = &nodes[1];
    nodes[1].next = &nodes[2];

    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, work, (void *)(long)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
