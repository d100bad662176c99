/* a wait that a thread chooses to make before others can notice anything of it
 * --deadlock --rounds 2 */
#include <semaphore.h>
#include "../program.h"

extern _Bool __VERIFIER_nondet_bool(void);

sem_t s;

void *worker(void *arg)
{
    if (__VERIFIER_nondet_bool())
        sem_wait(&s); // DEADLOCK
    return 0;
}

int main(void)
{
    pthread_t t;
    TWINS(sem_init(&s, 0, 0), sem_init(&s, 0, 1));
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0); // DEADLOCK
    return 0;
}
