/* Memory that a program gives back to the system: what comes there later is something else. */
#include <stdarg.h>
#include <sys/mman.h>

#include "objects.h"
#include "races.h"

static void forget(void *address, size_t size)
{
    cs_shadow_clear((uint64_t)address, size);
    cs_forget_objects((uint64_t)address, (uint64_t)address + size);
}

CS_PUBLIC int munmap(void *address, size_t size)
{
    CS_ENTER(self, CS_REAL(munmap)(address, size));
    forget(address, size);
    int result = CS_REAL(munmap)(address, size);
    return cs_leave(self, result);
}

CS_PUBLIC void *mremap(void *address, size_t before, size_t after, int flags, ...)
{
    void *place = NULL;
    if (flags & MREMAP_FIXED) {
        va_list rest;
        va_start(rest, flags);
        place = va_arg(rest, void *);
        va_end(rest);
    }
    CS_ENTER(self, CS_REAL(mremap)(address, before, after, flags, place));
    void *result = CS_REAL(mremap)(address, before, after, flags, place);
    if (result != MAP_FAILED && result != address) {
        forget(address, before);
        forget(result, after);
    }
    return cs_leave(self, result);
}
