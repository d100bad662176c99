/* The heap of a run: blocks in a region of their own, with gaps between them; freed blocks rest before they are used
 * again. A byte of shadow for 16 bytes says how many of them, from the first on, may be accessed. */
#ifndef CSEQ_HEAP_H
#define CSEQ_HEAP_H

#include "thread.h"

#define CS_GRANULE 16u

extern uint64_t cs_heap_low CS_HIDDEN; /* where the region begins; cs_heap_span: its used part, 0 where there is none */
extern uint64_t cs_heap_span CS_HIDDEN;
extern uint8_t *cs_heap_shadow CS_HIDDEN;

static inline bool cs_in_heap(uint64_t address) { return address - cs_heap_low < cs_heap_span; }

bool cs_heap_bad_range(uint64_t address, uint64_t size);

/* Whether an access touches memory of the heap that is not allocated; then call cs_bad_access. size > 0. */
static inline bool cs_heap_bad(uint64_t address, uint64_t size)
{
    uint64_t offset = address - cs_heap_low;
    if (offset >= cs_heap_span) {
        return false;
    }
    uint64_t end = (offset & (CS_GRANULE - 1)) + size;
    return end <= CS_GRANULE ? end > cs_heap_shadow[offset / CS_GRANULE] : cs_heap_bad_range(address, size);
}

/* Called from cs_access for memory whose shadow says that it is not (or no longer) allocated. */
void cs_bad_access(struct cs_thread *self, uint64_t address, uint32_t size, enum cs_access_kind kind, uint64_t pc);

/* The program has made a compare-exchange that is as large as a pointer: whether an address is used again matters. */
void cs_heap_compared(void);

/* An object of the thread library is used at this address. */
void cs_heap_object(uint64_t address);

void cs_begin_heap(void);

/* Blocks. They leave errno alone, except that NULL is returned with ENOMEM. place: of the call. */
void *cs_heap_allocate(struct cs_thread *self, uint64_t size, uint64_t alignment, const void *place);
/* The size of a block that is to be freed; ends the run if it cannot be. */
uint64_t cs_heap_freed(struct cs_thread *self, const void *block, const void *place);
/* Free it; what accesses to it have left is the caller's. */
void cs_heap_free(struct cs_thread *self, const void *block, const void *place);
/* The size that was asked for. */
uint64_t cs_heap_size(const void *block);
/* Whether the memory of the block that was allocated last has never been used: it is zero. */
extern bool cs_heap_fresh CS_HIDDEN;

#endif
