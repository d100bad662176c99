/*
 * Two threads copy a page each: for that one needs the scanner and the printer.
 *
 * One asks for the scanner first, the other one for the printer.
 *
 *   t1: gets the scanner | t2: gets the printer, waits for the scanner
 *   | t1: waits for the printer
 */
#include <pthread.h>
#include <semaphore.h>

sem_t scanner, printer;
int copies;

void *clerk(void *arg)
{
    (void)arg;
    sem_wait(&scanner);
    sem_wait(&printer); // DEADLOCK
    copies++;
    sem_post(&printer);
    sem_post(&scanner);
    return NULL;
}

void *boss(void *arg)
{
    (void)arg;
    sem_wait(&printer);
    sem_wait(&scanner); // DEADLOCK
    copies++;
    sem_post(&scanner);
    sem_post(&printer);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    sem_init(&scanner, 0, 1);
    sem_init(&printer, 0, 1);
    pthread_create(&t1, NULL, clerk, NULL);
    pthread_create(&t2, NULL, boss, NULL);
    pthread_join(t1, NULL); // DEADLOCK
    pthread_join(t2, NULL);
    return copies;
}
