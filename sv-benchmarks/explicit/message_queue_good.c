/*
 * Messages with two priorities: senders put them into a queue per priority,
 * with CAPACITY places together; receivers get an urgent one first, and within
 * a priority the oldest.  After the inter-process communication of pancam.
 *
 * Who finds the queue full, or empty, waits, and looks again when woken.
 */
#include <assert.h>
#include <pthread.h>

#ifndef SENDERS
#define SENDERS 2
#endif
#ifndef RECEIVERS
#define RECEIVERS 1
#endif
#ifndef CAPACITY
#define CAPACITY 1
#endif
#ifndef MESSAGES
#define MESSAGES 2
#endif
#define PRIORITIES 2

struct queue {
    int item[CAPACITY];
    int first, length;
};

struct queue queues[PRIORITIES];
int total;
int received;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;

void put(int priority, int message)
{
    struct queue *q = &queues[priority];

    pthread_mutex_lock(&lock);
    while (total == CAPACITY)
        pthread_cond_wait(&not_full, &lock);
    assert(total < CAPACITY);
    q->item[(q->first + q->length) % CAPACITY] = message;
    q->length++;
    total++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
}

int get(int *priority)
{
    struct queue *q;
    int message;

    pthread_mutex_lock(&lock);
    while (total == 0)
        pthread_cond_wait(&not_empty, &lock);
    *priority = PRIORITIES - 1;
    while (queues[*priority].length == 0)
        (*priority)--;
    q = &queues[*priority];
    message = q->item[q->first];
    q->item[q->first] = 0;
    q->first = (q->first + 1) % CAPACITY;
    q->length--;
    total--;
    received++;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
    return message;
}

void *sender(void *arg)
{
    int id = (int)(long)arg;

    for (int i = 0; i < MESSAGES; i++)
        put((id + i) % PRIORITIES, 1 + id * MESSAGES + i);
    return NULL;
}

void *receiver(void *arg)
{
    int last[PRIORITIES][SENDERS] = {{0}};

    (void)arg;
    for (int i = 0; i < SENDERS * MESSAGES / RECEIVERS; i++) {
        int priority;
        int message = get(&priority);
        int id = (message - 1) / MESSAGES;

        /* Those of one sender come in the order in which they were sent. */
        assert(message > last[priority][id]);
        last[priority][id] = message;
    }
    return NULL;
}

int main(void)
{
    pthread_t s[SENDERS], r[RECEIVERS];

    for (int i = 0; i < RECEIVERS; i++)
        pthread_create(&r[i], NULL, receiver, NULL);
    for (int i = 0; i < SENDERS; i++)
        pthread_create(&s[i], NULL, sender, (void *)(long)i);
    for (int i = 0; i < SENDERS; i++)
        pthread_join(s[i], NULL);
    for (int i = 0; i < RECEIVERS; i++)
        pthread_join(r[i], NULL);
    assert(received == SENDERS * MESSAGES);
    return 0;
}
