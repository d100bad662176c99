/* philosophers_two_bad.c; with -DGOOD philosophers_two_good.c. */
#include "pthread.pml"

mutex fork_a, fork_b;
byte rice = 2;

proctype plato()
{
    mutex_lock(fork_a);
    mutex_lock(fork_b);
    rice--;
    mutex_unlock(fork_b);
    mutex_unlock(fork_a);
    end()
}

proctype kant()
{
#ifdef GOOD
    mutex_lock(fork_a);
    mutex_lock(fork_b);
    rice--;
    mutex_unlock(fork_b);
    mutex_unlock(fork_a);
#else
    mutex_lock(fork_b);
    mutex_lock(fork_a);
    rice--;
    mutex_unlock(fork_a);
    mutex_unlock(fork_b);
#endif
    end()
}

init {
    byte t1, t2;

    t1 = run plato();
    t2 = run kant();
    join(t1);
    join(t2)
}
