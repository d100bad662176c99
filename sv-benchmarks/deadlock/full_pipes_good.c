/*
 * Parent and child talk through two pipes.  A pipe has one slot: who writes waits
 * until it is free, who reads until something is there.
 *
 * Both read an answer behind each word that they write.
 */
#include <pthread.h>

struct pipe {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int full;
    int word;
};

struct pipe down = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0};
struct pipe up = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0};

static void put(struct pipe *pipe, int word)
{
    pthread_mutex_lock(&pipe->lock);
    while (pipe->full)
        pthread_cond_wait(&pipe->changed, &pipe->lock);
    pipe->word = word;
    pipe->full = 1;
    pthread_cond_signal(&pipe->changed);
    pthread_mutex_unlock(&pipe->lock);
}

static int get(struct pipe *pipe)
{
    int word;

    pthread_mutex_lock(&pipe->lock);
    while (!pipe->full)
        pthread_cond_wait(&pipe->changed, &pipe->lock);
    word = pipe->word;
    pipe->full = 0;
    pthread_cond_signal(&pipe->changed);
    pthread_mutex_unlock(&pipe->lock);
    return word;
}

void *child(void *arg)
{
    (void)arg;
    put(&up, 3);
    get(&down);
    put(&up, 4);
    get(&down);
    return NULL;
}

int main(void)
{
    pthread_t t1;
    int heard;

    pthread_create(&t1, NULL, child, NULL);
    put(&down, 1);
    heard = get(&up);
    put(&down, 2);
    heard += get(&up);
    pthread_join(t1, NULL);
    return heard != 7;
}
