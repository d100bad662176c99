/* philosophers_n_bad.c; with -DGOOD philosophers_n_good.c. */
#include "pthread.pml"

#define N 4

mutex forks[N];
byte meals[N];

proctype philosopher(byte seat)
{
    byte first, second;

#ifdef GOOD
    first = (seat == N - 1 -> 0 : seat);
    second = (seat == N - 1 -> seat : seat + 1);
#else
    first = seat;
    second = (seat + 1) % N;
#endif
    mutex_lock(forks[first]);
    mutex_lock(forks[second]);
    meals[seat]++;
    mutex_unlock(forks[second]);
    mutex_unlock(forks[first]);
    end()
}

init {
    byte t[N];
    byte i;

    for (i : 0 .. N - 1) {
        t[i] = run philosopher(i)
    }
    for (i : 0 .. N - 1) {
        join(t[i])
    }
}
