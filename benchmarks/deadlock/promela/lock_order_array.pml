/* lock_order_array_bad.c; with -DGOOD lock_order_array_good.c. */
#include "pthread.pml"

#define BUCKETS 3

mutex locks[BUCKETS];
byte used[BUCKETS] = {1, 1, 1};

proctype mover(byte from; byte to)
{
    byte first, second;

#ifdef GOOD
    first = (from < to -> from : to);
    second = (from < to -> to : from);
#else
    first = from;
    second = to;
#endif
    mutex_lock(locks[first]);
    mutex_lock(locks[second]);
    used[from]--;
    used[to]++;
    mutex_unlock(locks[second]);
    mutex_unlock(locks[first]);
    end()
}

init {
    byte t1, t2;

    t1 = run mover(0, 2);
    t2 = run mover(2, 0);
    join(t1);
    join(t2)
}
