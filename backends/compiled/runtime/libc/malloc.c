/* malloc and its family. Outside runs, and for the runtime itself, they are those of the C library. */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "heap.h"
#include "races.h"

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

#define PLACE __builtin_return_address(0)

static bool ours(const struct cs_thread *self) { return self != NULL && !self->inside && cs_heap_low != 0; }

static void *allocate(struct cs_thread *self, size_t size, size_t alignment, const void *place)
{
    self->inside = true;
    void *block = cs_heap_allocate(self, size, alignment, place);
    self->inside = false;
    return block;
}

extern void cxa_free_exception(void *) __asm__("__cxa_free_exception") __attribute__((weak));
extern void destroy_string(void *) __asm__("_ZNSs4_Rep10_M_destroyERKSaIcE") __attribute__((weak));

/* Exceptions and their texts: libstdc++ counts who uses them by atomic operations of its own, which are not
 * instrumented. */
static bool is_counted(const void *place)
{
    return (uint64_t)place - (uint64_t)cxa_free_exception < 128 || (uint64_t)place - (uint64_t)destroy_string < 128;
}

static void give_back(struct cs_thread *self, void *block, const void *place)
{
    uint64_t size = cs_heap_freed(self, block, place);
    if (size > 0 && !is_counted(place)) {
        cs_range(self, block, size, CS_ACCESS_FREE);
    }
    cs_shadow_clear((uint64_t)block, size);
    cs_heap_free(self, block, place);
}

static void release(void *block, const void *place)
{
    struct cs_thread *self = cs_self;
    if (!cs_in_heap((uint64_t)block)) {
        if (self != NULL && (uint64_t)block - self->stack_low < self->stack_high - self->stack_low) {
            self->inside = true;
            cs_called_from(self, (void *)place);
            cs_end(CS_END_invalid_free, 0, block, 0, NULL);
        }
        __libc_free(block);
    } else if (self != NULL && cs_active) { /* else it is a copy of the run, or a thread at its very end: it stays */
        bool inside = self->inside;
        self->inside = true;
        give_back(self, block, place);
        self->inside = inside;
    }
}

static void *again(void *block, size_t size, const void *place)
{
    struct cs_thread *self = cs_self;
    bool known = cs_in_heap((uint64_t)block);
    if (!known && (block != NULL || !ours(self))) {
        return __libc_realloc(block, size);
    }
    if (size == 0 && block != NULL) {
        release(block, place);
        return NULL;
    }
    void *other = ours(self) ? allocate(self, size, 1, place) : __libc_malloc(size);
    if (other != NULL && block != NULL) {
        size_t before = cs_heap_size(block);
        memcpy(other, block, before < size ? before : size);
        release(block, place);
    }
    return other;
}

static void *aligned(size_t alignment, size_t size, const void *place)
{
    struct cs_thread *self = cs_self;
    return ours(self) ? allocate(self, size, alignment, place) : __libc_memalign(alignment, size);
}

static bool is_power(size_t number) { return number != 0 && (number & (number - 1)) == 0; }

CS_PUBLIC void *malloc(size_t size)
{
    struct cs_thread *self = cs_self;
    return ours(self) ? allocate(self, size, 1, PLACE) : __libc_malloc(size);
}

CS_PUBLIC void *calloc(size_t count, size_t size)
{
    struct cs_thread *self = cs_self;
    size_t total;
    if (!ours(self)) {
        return __libc_calloc(count, size);
    }
    if (__builtin_mul_overflow(count, size, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    void *block = allocate(self, total, 1, PLACE);
    if (block != NULL && !cs_heap_fresh) {
        self->inside = true; /* no other thread has the block yet */
        memset(block, 0, total);
        self->inside = false;
    }
    return block;
}

CS_PUBLIC void free(void *block)
{
    if (block != NULL) {
        release(block, PLACE);
    }
}

CS_PUBLIC void *realloc(void *block, size_t size) { return again(block, size, PLACE); }

CS_PUBLIC void *reallocarray(void *block, size_t count, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(count, size, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    return again(block, total, PLACE);
}

CS_PUBLIC void *memalign(size_t alignment, size_t size) { return aligned(alignment, size, PLACE); }

CS_PUBLIC void *aligned_alloc(size_t alignment, size_t size) { return aligned(alignment, size, PLACE); }

CS_PUBLIC void *valloc(size_t size) { return aligned(4096, size, PLACE); }

CS_PUBLIC void *pvalloc(size_t size) { return aligned(4096, (size + 4095) & ~(size_t)4095, PLACE); }

CS_PUBLIC int posix_memalign(void **result, size_t alignment, size_t size)
{
    if (!is_power(alignment) || alignment % sizeof(void *) != 0) {
        return EINVAL;
    }
    int before = errno;
    void *block = aligned(alignment, size, PLACE);
    errno = before;
    if (block == NULL) {
        return ENOMEM;
    }
    *result = block;
    return 0;
}

CS_PUBLIC size_t malloc_usable_size(void *block)
{
    return cs_in_heap((uint64_t)block) ? cs_heap_size(block) : CS_REAL(malloc_usable_size)(block);
}

/* ---- new and delete: theirs is the place of the call, which malloc would not see ---- */

typedef struct nothrow nothrow;
#define WEAK CS_PUBLIC __attribute__((weak))

/* Where there is no memory, the real operator calls the program's handler, or throws. */
#define NEW(name) \
    WEAK void *name(size_t size); \
    WEAK void *name(size_t size) \
    { \
        struct cs_thread *self = cs_self; \
        void *block = ours(self) ? allocate(self, size, 1, PLACE) : __libc_malloc(size == 0 ? 1 : size); \
        return block != NULL ? block : ((void *(*)(size_t))cs_real(#name))(size); \
    }

#define NEW_ALIGNED(name) \
    WEAK void *name(size_t size, size_t alignment); \
    WEAK void *name(size_t size, size_t alignment) \
    { \
        struct cs_thread *self = cs_self; \
        void *block = ours(self) ? allocate(self, size, alignment, PLACE) : __libc_memalign(alignment, size); \
        return block != NULL ? block : ((void *(*)(size_t, size_t))cs_real(#name))(size, alignment); \
    }

#define DELETE(name, ...) \
    WEAK void name(__VA_ARGS__); \
    WEAK void name(__VA_ARGS__) \
    { \
        if (block != NULL) { \
            release(block, PLACE); \
        } \
    }
#define UNUSED __attribute__((unused))

NEW(_Znwm)
NEW(_Znam)
NEW_ALIGNED(_ZnwmSt11align_val_t)
NEW_ALIGNED(_ZnamSt11align_val_t)
DELETE(_ZdlPv, void *block)
DELETE(_ZdaPv, void *block)
DELETE(_ZdlPvm, void *block, UNUSED size_t size)
DELETE(_ZdaPvm, void *block, UNUSED size_t size)
DELETE(_ZdlPvSt11align_val_t, void *block, UNUSED size_t alignment)
DELETE(_ZdaPvSt11align_val_t, void *block, UNUSED size_t alignment)
DELETE(_ZdlPvmSt11align_val_t, void *block, UNUSED size_t size, UNUSED size_t alignment)
DELETE(_ZdaPvmSt11align_val_t, void *block, UNUSED size_t size, UNUSED size_t alignment)
