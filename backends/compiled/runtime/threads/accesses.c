/* The entries of accesses: their hooks come before them, so what a store writes is known a little later. */
#include <string.h>

#include "thread.h"

uint32_t cs_plain_mode = CS_PLAIN_NEW;

static struct {
    uint64_t address;
    uint32_t entry, size, thread;
} unsettled;

uint64_t cs_value_at(uint64_t address, uint32_t size)
{
    uint64_t value = 0;
    memcpy(&value, (const void *)address, size < sizeof value ? size : sizeof value);
    return value;
}

void cs_settle(void)
{
    if (cs_plain_mode & CS_PLAIN_UNSETTLED) {
        cs_plain_mode &= ~(uint32_t)CS_PLAIN_UNSETTLED;
        if (cs_self != NULL && cs_self->number == unsettled.thread) { /* else its memory may be gone */
            cs_entry_at(unsettled.entry)->argument = cs_value_at(unsettled.address, unsettled.size);
        }
    }
}

void cs_complete_access(struct cs_thread *self, uint32_t entry, const void *address, uint32_t size, bool writes)
{
    cs_entry_at(entry)->value = cs_value_at((uint64_t)address, size);
    if (writes) {
        unsettled.address = (uint64_t)address;
        unsettled.entry = entry;
        unsettled.size = size;
        unsettled.thread = self->number;
        cs_plain_mode |= CS_PLAIN_UNSETTLED;
    }
}
