/* How many processors there are: runs are on one of them, and a program that makes a thread for each should make the
 * same number everywhere. */
#include <sched.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "base.h"

#define PROCESSORS 4

CS_PUBLIC int get_nprocs(void) { return cs_active ? PROCESSORS : CS_REAL(get_nprocs)(); }

CS_PUBLIC int get_nprocs_conf(void) { return cs_active ? PROCESSORS : CS_REAL(get_nprocs_conf)(); }

CS_PUBLIC long sysconf(int name)
{
    if (cs_active && (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF)) {
        return PROCESSORS;
    }
    return CS_REAL(sysconf)(name);
}

static void all_processors(size_t size, cpu_set_t *set)
{
    memset(set, 0, size);
    for (int n = 0; n < PROCESSORS; n++) {
        CPU_SET_S(n, size, set);
    }
}

CS_PUBLIC int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set)
{
    if (!cs_active) {
        return CS_REAL(sched_getaffinity)(process, size, set);
    }
    all_processors(size, set);
    return 0;
}

CS_PUBLIC int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set)
{
    if (!cs_active) {
        return CS_REAL(pthread_getaffinity_np)(thread, size, set);
    }
    all_processors(size, set);
    return 0;
}

CS_PUBLIC int sched_setaffinity(pid_t process, size_t size, const cpu_set_t *set)
{
    return cs_active ? 0 : CS_REAL(sched_setaffinity)(process, size, set);
}

CS_PUBLIC int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set)
{
    return cs_active ? 0 : CS_REAL(pthread_setaffinity_np)(thread, size, set);
}
