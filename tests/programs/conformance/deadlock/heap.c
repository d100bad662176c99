/* mutexes in a list on the heap, locked hand over hand
 * --deadlock --rounds 2 --unwind 3 */
#include <pthread.h>
#include <stdlib.h>

struct node {
    pthread_mutex_t lock;
    struct node *next;
};

struct node *list;

static struct node *made(struct node *next)
{
    struct node *node = malloc(sizeof *node);
    pthread_mutex_init(&node->lock, 0);
    node->next = next;
    return node;
}

void *forwards(void *arg)
{
    pthread_mutex_lock(&list->lock);
    pthread_mutex_lock(&list->next->lock); // DEADLOCK
    pthread_mutex_unlock(&list->lock);
    pthread_mutex_unlock(&list->next->lock);
    return 0;
}

void *backwards(void *arg)
{
#ifdef BUG
    pthread_mutex_lock(&list->next->lock);
    pthread_mutex_lock(&list->lock); // DEADLOCK
    pthread_mutex_unlock(&list->next->lock);
    pthread_mutex_unlock(&list->lock);
    return 0;
#else
    return forwards(arg);
#endif
}

int main(void)
{
    pthread_t t, u;
    list = made(made(0));
    pthread_create(&t, 0, forwards, 0);
    pthread_create(&u, 0, backwards, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
