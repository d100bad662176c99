/* gate_lock_bad.c; with -DGOOD gate_lock_good.c. */
#include "pthread.pml"

mutex gate, front, rear;
byte moved;

proctype rear_to_front()
{
    mutex_lock(gate);
    mutex_lock(rear);
#ifdef GOOD
    mutex_lock(front);
    mutex_unlock(gate);
#else
    mutex_unlock(gate);
    mutex_lock(front);
#endif
    moved++;
    mutex_unlock(front);
    mutex_unlock(rear);
    end()
}

proctype front_to_rear()
{
    mutex_lock(gate);
    mutex_lock(front);
    mutex_lock(rear);
    mutex_unlock(gate);
    moved++;
    mutex_unlock(rear);
    mutex_unlock(front);
    end()
}

init {
    byte t1, t2;

    t1 = run rear_to_front();
    t2 = run front_to_rear();
    join(t1);
    join(t2)
}
