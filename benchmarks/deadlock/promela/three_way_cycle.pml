/* three_way_cycle_bad.c; with -DGOOD three_way_cycle_good.c. */
#include "pthread.pml"

mutex disk, cache, net;
byte loaded, sent, logged;

proctype load()
{
    mutex_lock(disk);
    mutex_lock(cache);
    loaded++;
    mutex_unlock(cache);
    mutex_unlock(disk);
    end()
}

proctype serve()
{
    mutex_lock(cache);
    mutex_lock(net);
    sent++;
    mutex_unlock(net);
    mutex_unlock(cache);
    end()
}

proctype write_log()
{
#ifdef GOOD
    mutex_lock(disk);
    mutex_lock(net);
    logged++;
    mutex_unlock(net);
    mutex_unlock(disk);
#else
    mutex_lock(net);
    mutex_lock(disk);
    logged++;
    mutex_unlock(disk);
    mutex_unlock(net);
#endif
    end()
}

init {
    byte t1, t2, t3;

    t1 = run load();
    t2 = run serve();
    t3 = run write_log();
    join(t1);
    join(t2);
    join(t3)
}
