/* The functions of libraries that the runtime stands in for, and the file that it shares with its client. */
#include <dlfcn.h>

#include "base.h"
#include "raw.h"

bool cs_active;
struct cs_shared *cs_shared;

static void *real(const char *name)
{
    return cs_static_real != NULL ? (void *)cs_static_real(name) : dlsym(RTLD_NEXT, name);
}

void *cs_real(const char *name)
{
    void *found = real(name);
    if (found == NULL) {
        CS_SYSCALL1(SYS_exit_group, 124);
    }
    return found;
}

void *cs_real_of(struct cs_found *found)
{
    found->address = cs_real(found->name);
    return found->address;
}

extern struct cs_found __start_cs_reals[], __stop_cs_reals[];

void cs_find_reals(void)
{
    for (struct cs_found *found = __start_cs_reals; found < __stop_cs_reals; found++) {
        found->address = real(found->name); /* NULL: a library that the program does not have */
    }
}
