/*
 * Two threads insert a node each at the head of a linked list.
 *
 * Without a lock both nodes can get the same successor; one is lost.
 *
 *   t1: next = old head | t2: inserts | t1: replaces t2's node as the head
 *   | main: finds one node
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct node *head = NULL;

void *insert(void *arg)
{
    struct node *n = malloc(sizeof(struct node));

    if (n == NULL)
        abort();
    n->value = (int)(long)arg;
    n->next = head;
    head = n;
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    int sum = 0;

    pthread_create(&t1, NULL, insert, (void *)1);
    pthread_create(&t2, NULL, insert, (void *)2);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    for (struct node *n = head; n != NULL; n = n->next)
        sum += n->value;
    assert(sum == 3); // FAIL
    return 0;
}
