/* What programs for software verifiers call: values that can be anything, assumptions, and sections in which no other
 * thread runs. All are weak, since some programs define them themselves.
 */
#include <string.h>

#include "objects.h"
#include "raw.h"
#include "scheduler.h"

#define WEAK CS_PUBLIC __attribute__((weak))
#define NIBBLE 4

/* ---- values ---- */

static uint64_t picked(uint32_t count)
{
    uint16_t options[16];
    for (uint32_t n = 0; n < count; n++) {
        options[n] = (uint16_t)n;
    }
    return cs_choose(CS_CHOICE_VALUE, options, count);
}

/* Small ones more often: programs compare with them. An exhaustive search tries few, and is then no proof. */
static uint64_t chosen(uint32_t bits)
{
    if (bits == 1) {
        return picked(2);
    }
    static const uint64_t usual[] = {0, 1, 2, 3, UINT64_MAX};
    const uint32_t count = sizeof usual / sizeof *usual;
    bool some = (cs_shared->request.flags & CS_SLEEP_SETS) != 0;
    cs_shared->result.world |= CS_WORLD_RANDOM;
    uint64_t way = picked(some ? count : count + 3);
    if (way < count) {
        return usual[way];
    }
    uint32_t length = way == count ? NIBBLE : way == count + 1 ? 2 * NIBBLE : bits;
    uint64_t value = 0;
    for (uint32_t at = 0; at < length; at += NIBBLE) {
        value |= picked(1u << NIBBLE) << at;
    }
    return value;
}

static uint64_t outside(void)
{
    uint64_t value = 0;
    CS_SYSCALL3(SYS_getrandom, &value, sizeof value, 0);
    return value;
}

static uint64_t any(uint32_t bits, void *caller)
{
    struct cs_thread *self = cs_self;
    if (self == NULL || self->inside) {
        return bits == 1 ? outside() & 1 : outside();
    }
    self->inside = true;
    cs_called_from(self, caller);
    cs_step(CS_any, NULL, 0);
    uint64_t value = chosen(bits);
    cs_done(self, value, 0);
    return cs_leave(self, value);
}

#define VALUE(type, name, bits) \
    WEAK type __VERIFIER_nondet_##name(void); \
    WEAK type __VERIFIER_nondet_##name(void) { return (type)any(bits, __builtin_return_address(0)); }

#define NUMBER(type, name) VALUE(type, name, 8 * sizeof(type))

VALUE(_Bool, bool, 1)
VALUE(_Bool, _Bool, 1)
NUMBER(char, char)
NUMBER(signed char, schar)
NUMBER(unsigned char, uchar)
NUMBER(unsigned char, u8)
NUMBER(short, short)
NUMBER(unsigned short, ushort)
NUMBER(unsigned short, u16)
NUMBER(int, int)
NUMBER(unsigned, uint)
NUMBER(unsigned, unsigned)
NUMBER(unsigned, u32)
NUMBER(long, long)
NUMBER(unsigned long, ulong)
NUMBER(long long, longlong)
NUMBER(unsigned long long, ulonglong)
NUMBER(unsigned long long, u64)
NUMBER(long, loff_t)
NUMBER(size_t, size_t)
NUMBER(void *, pointer)
VALUE(float, float, 8)
VALUE(double, double, 8)

WEAK void __VERIFIER_nondet_memory(void *memory, size_t size);
WEAK void __VERIFIER_nondet_memory(void *memory, size_t size)
{
    for (size_t n = 0; n < size; n++) {
        ((unsigned char *)memory)[n] = (unsigned char)any(8, __builtin_return_address(0));
    }
}

/* ---- assumptions ---- */

static bool never(struct cs_thread *self, void *subject)
{
    (void)self, (void)subject;
    return false;
}

/* Where it does not hold, the thread stops. Others go on, since what they do they might have done before it; but that
 * they wait for the thread is no deadlock. */
static void assume(bool holds, void *caller)
{
    struct cs_thread *self = cs_self;
    if (holds || (self != NULL && self->inside)) {
        return;
    }
    if (self == NULL) {
        CS_SYSCALL1(SYS_exit_group, 0);
        return;
    }
    self->inside = true;
    cs_called_from(self, caller);
    cs_block(CS_assume, NULL, 0, never, NULL, CS_NEVER);
    self->inside = false;
}

WEAK void __VERIFIER_assume(int condition);
WEAK void __VERIFIER_assume(int condition) { assume(condition != 0, __builtin_return_address(0)); }

WEAK void assume_abort_if_not(int condition);
WEAK void assume_abort_if_not(int condition) { assume(condition != 0, __builtin_return_address(0)); }

/* ---- atomic sections ---- */

static char order; /* sections are ordered one after the other */
static pthread_mutex_t alone = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

WEAK void __VERIFIER_atomic_begin(void);
WEAK void __VERIFIER_atomic_begin(void)
{
    CS_ENTER(self, (void)CS_REAL(pthread_mutex_lock)(&alone));
    if (self->sections == 0) {
        cs_step(CS_section, &order, 0);
        cs_acquire(self, &cs_object(CS_KIND_OTHER, &order)->clock);
    }
    self->sections++;
    self->inside = false;
}

WEAK void __VERIFIER_atomic_end(void);
WEAK void __VERIFIER_atomic_end(void)
{
    CS_ENTER(self, (void)CS_REAL(pthread_mutex_unlock)(&alone));
    if (self->sections == 1) {
        cs_release(self, &cs_object(CS_KIND_OTHER, &order)->clock);
    }
    self->sections -= self->sections > 0;
    self->inside = false;
}
