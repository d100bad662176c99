/* Random numbers of the system: a run that asks for them does not follow from its schedule alone. */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base.h"

static void is_random(void)
{
    if (cs_active) {
        cs_shared->result.world |= CS_WORLD_RANDOM;
    }
}

static void opens(const char *path)
{
    if (path != NULL && (strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0)) {
        is_random();
    }
}

CS_PUBLIC ssize_t getrandom(void *buffer, size_t size, unsigned flags)
{
    is_random();
    return CS_REAL(getrandom)(buffer, size, flags);
}

CS_PUBLIC int getentropy(void *buffer, size_t size)
{
    is_random();
    return CS_REAL(getentropy)(buffer, size);
}

/* std::random_device, which may ask the processor. */
typedef unsigned number_of(void *device);

CS_PUBLIC unsigned _ZNSt13random_device9_M_getvalEv(void *device);
CS_PUBLIC unsigned _ZNSt13random_device9_M_getvalEv(void *device)
{
    static number_of *found;
    is_random();
    if (found == NULL) {
        found = (number_of *)cs_real("_ZNSt13random_device9_M_getvalEv");
    }
    return found(device);
}

CS_PUBLIC int open(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    opens(path);
    return CS_REAL(open)(path, flags, mode);
}

CS_PUBLIC FILE *fopen(const char *path, const char *mode)
{
    opens(path);
    return CS_REAL(fopen)(path, mode);
}

CS_PUBLIC FILE *fopen64(const char *path, const char *mode)
{
    opens(path);
    return CS_REAL(fopen64)(path, mode);
}
