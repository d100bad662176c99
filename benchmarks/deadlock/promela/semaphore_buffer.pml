/* semaphore_buffer_bad.c; with -DGOOD semaphore_buffer_good.c. */
#include "pthread.pml"

#define ITEMS 2

mutex buffer;
sem free_slots = 1, items = 0;
byte slot, sum;

proctype producer()
{
    byte i;

    for (i : 1 .. ITEMS) {
#ifdef GOOD
        sem_wait(free_slots);
        mutex_lock(buffer);
#else
        mutex_lock(buffer);
        sem_wait(free_slots);
#endif
        slot = i;
        mutex_unlock(buffer);
        sem_post(items)
    }
    end()
}

proctype consumer()
{
    byte i;

    for (i : 1 .. ITEMS) {
        sem_wait(items);
        mutex_lock(buffer);
        sum = sum + slot;
        mutex_unlock(buffer);
        sem_post(free_slots)
    }
    end()
}

init {
    byte t1, t2;

    t1 = run producer();
    t2 = run consumer();
    join(t1);
    join(t2)
}
