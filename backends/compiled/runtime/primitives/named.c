/* Named semaphores live in the run only: those of the system would outlive it, and runs would disturb each other. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <stdarg.h>
#include <string.h>
#include <sys/types.h>

#include "sync.h"

struct named {
    struct named *next;
    bool linked; /* its name has not been removed */
    sem_t semaphore;
    char name[];
};

static struct named *all;

static struct named *find(const char *name)
{
    for (struct named *named = all; named != NULL; named = named->next) {
        if (named->linked && strcmp(named->name, name) == 0) {
            return named;
        }
    }
    return NULL;
}

static struct named *make(const char *name, unsigned value)
{
    size_t length = strlen(name) + 1;
    struct named *named = cs_allocate(sizeof *named + length);
    memcpy(named->name, name, length);
    named->linked = true;
    CS_REAL(sem_init)(&named->semaphore, 0, value);
    named->next = all;
    all = named;
    return named;
}

static int check(const char *name, int flags, unsigned value)
{
    const char *rest = name + strspn(name, "/");
    if (*rest == '\0' || strchr(rest, '/') != NULL) {
        return EINVAL;
    }
    if (strlen(rest) > NAME_MAX - 4) {
        return ENAMETOOLONG;
    }
    const struct named *named = find(rest);
    if (named == NULL && (flags & O_CREAT) == 0) {
        return ENOENT;
    }
    if (named != NULL && (flags & O_CREAT) != 0 && (flags & O_EXCL) != 0) {
        return EEXIST;
    }
    return named == NULL && value > SEM_VALUE_MAX ? EINVAL : 0;
}

CS_PUBLIC sem_t *sem_open(const char *name, int flags, ...)
{
    mode_t mode = 0;
    unsigned value = 0;
    if ((flags & O_CREAT) != 0) {
        va_list rest;
        va_start(rest, flags);
        mode = va_arg(rest, mode_t);
        value = va_arg(rest, unsigned);
        va_end(rest);
    }
    CS_ENTER(self, CS_REAL(sem_open)(name, flags, mode, value));
    cs_step(CS_semaphore_init, &all, value);
    int error = check(name, flags, value);
    cs_done(self, (uint64_t)error, error == 0 ? 0 : CS_FAILED);
    if (error != 0) {
        errno = error;
        return cs_leave(self, SEM_FAILED);
    }
    name += strspn(name, "/");
    struct named *named = find(name);
    if (named == NULL) {
        named = make(name, value);
    }
    return cs_leave(self, &named->semaphore);
}

CS_PUBLIC int sem_close(sem_t *semaphore)
{
    CS_ENTER(self, CS_REAL(sem_close)(semaphore));
    for (const struct named *named = all; named != NULL; named = named->next) {
        if (&named->semaphore == semaphore) {
            return cs_leave(self, 0);
        }
    }
    errno = EINVAL;
    return cs_leave(self, -1);
}

CS_PUBLIC int sem_unlink(const char *name)
{
    CS_ENTER(self, CS_REAL(sem_unlink)(name));
    cs_step(CS_semaphore_destroy, &all, 0);
    struct named *named = find(name + strspn(name, "/"));
    if (named != NULL) {
        named->linked = false;
    }
    return cs_result_errno(self, named != NULL ? 0 : ENOENT);
}
