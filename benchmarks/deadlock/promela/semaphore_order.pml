/* semaphore_order_bad.c; with -DGOOD semaphore_order_good.c. */
#include "pthread.pml"

sem scanner = 1, printer = 1;
byte copies;

proctype clerk()
{
    sem_wait(scanner);
    sem_wait(printer);
    copies++;
    sem_post(printer);
    sem_post(scanner);
    end()
}

proctype boss()
{
#ifdef GOOD
    sem_wait(scanner);
    sem_wait(printer);
    copies++;
    sem_post(printer);
    sem_post(scanner);
#else
    sem_wait(printer);
    sem_wait(scanner);
    copies++;
    sem_post(scanner);
    sem_post(printer);
#endif
    end()
}

init {
    byte t1, t2;

    t1 = run clerk();
    t2 = run boss();
    join(t1);
    join(t2)
}
