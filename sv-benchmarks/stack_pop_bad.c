/*
 * A stack in an array.  Two threads pop, there is one element.
 *
 * "Is there something?" and "take it" are two critical sections.
 *
 *   t1: not empty | t2: not empty, pops | t1: pops from an empty stack
 */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int stack[4];
int top = 0;

void push(int value)
{
    stack[top] = value;
    top++;
}

int pop(void)
{
    assert(top > 0); // FAIL
    top--;
    return stack[top];
}

void *popper(void *arg)
{
    int any;

    (void)arg;
    pthread_mutex_lock(&lock);
    any = top > 0;
    pthread_mutex_unlock(&lock);

    if (any) {
        pthread_mutex_lock(&lock);
        pop();
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    push(7);
    pthread_create(&t1, NULL, popper, NULL);
    pthread_create(&t2, NULL, popper, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
