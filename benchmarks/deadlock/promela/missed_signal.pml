/* missed_signal_bad.c; with -DGOOD missed_signal_good.c. */
#include "pthread.pml"

mutex lock;
cond loaded;
short port, used;
bool is_loaded;

proctype loader()
{
    mutex_lock(lock);
    port = 8080;
#ifdef GOOD
    is_loaded = true;
#endif
    cond_signal(loaded);
    mutex_unlock(lock);
    end()
}

proctype server()
{
    mutex_lock(lock);
#ifdef GOOD
    do
    :: !is_loaded -> cond_wait(loaded, lock)
    :: else -> break
    od;
#else
    cond_wait(loaded, lock);
#endif
    used = port;
    mutex_unlock(lock);
    end()
}

init {
    byte t1, t2;

    t1 = run loader();
    t2 = run server();
    join(t1);
    join(t2)
}
