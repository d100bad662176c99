/* sem_trywait
 * --rounds 2
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t place;
int count;

void *add(void *unused)
{
    int busy = sem_trywait(&place) != 0;
#ifndef BUG
    if (busy) {
        sem_wait(&place);
        busy = 0;
    }
#endif
    int old = count;
    count = old + 1;
    if (!busy)
        sem_post(&place);
    return 0;
}

int main(void)
{
    sem_init(&place, 0, 1);
    pthread_t other;
    pthread_create(&other, 0, add, 0);
    add(0);
    pthread_join(other, 0);
    assert(count == 2); // FAIL
    return 0;
}
