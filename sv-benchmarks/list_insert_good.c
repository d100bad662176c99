/*
 * Two threads insert a node each at the head of a linked list.
 *
 * The head is read and replaced under a lock.
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
    pthread_mutex_lock(&lock);
    n->next = head;
    head = n;
    pthread_mutex_unlock(&lock);
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
    assert(sum == 3);
    return 0;
}
