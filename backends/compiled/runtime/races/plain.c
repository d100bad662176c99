/* The hooks of plain and volatile accesses. */
#include "plain.h"
#include "shadow.h"

#define MOST_PLAIN 10000   /* accesses in a row, until others get a chance */
#define WINDOW_MASK 0x700u /* 256 accesses of each 2048 in a row are looked at for spinning */
#define WINDOW 0x100u
#define LOOKED_AT 16
#define REPEATED 24

/* ---- switch points ---- */

static uint64_t *sites;
static uint32_t sites_capacity;

static uint32_t slot_of(uint64_t pc) { return (uint32_t)((pc * 0x9e3779b97f4a7c15u) >> 32) & (sites_capacity - 1); }

static void begin(void)
{
    const struct cs_request *request = &cs_shared->request;
    cs_plain_mode = (cs_plain_mode & CS_PLAIN_WATCHED) | (request->sites > 0 ? CS_PLAIN_SITES : 0)
        | (request->flags & CS_DETAIL ? CS_PLAIN_DETAIL : 0);
    if (request->sites == 0) {
        return;
    }
    for (sites_capacity = 16; sites_capacity < 4 * request->sites;) {
        sites_capacity *= 2;
    }
    sites = cs_allocate(sites_capacity * sizeof *sites);
    const uint64_t *given = (const uint64_t *)((char *)cs_shared + cs_shared->sites.offset);
    for (uint32_t n = 0; n < request->sites; n++) {
        uint32_t slot = slot_of(given[n]);
        while (sites[slot] != 0) {
            slot = (slot + 1) & (sites_capacity - 1);
        }
        sites[slot] = given[n];
    }
}

bool cs_is_site(uint64_t pc)
{
    if (cs_plain_mode & CS_PLAIN_NEW) {
        begin();
    }
    if (!(cs_plain_mode & CS_PLAIN_SITES)) {
        return false;
    }
    for (uint32_t slot = slot_of(pc); sites[slot] != 0; slot = (slot + 1) & (sites_capacity - 1)) {
        if (sites[slot] == pc) {
            return true;
        }
    }
    return false;
}

/* ---- recording ---- */

void cs_plain_step(struct cs_thread *self, enum cs_op op, const void *address, uint32_t size, uint64_t pc)
{
    bool inside = self->inside;
    self->inside = true;
    self->caller = pc;
    self->next = (struct cs_announced){
        .op = op,
        .size = (uint8_t)size,
        .flags = cs_memory_flag((uint64_t)address),
        .object = (uint64_t)address,
        .stack = cs_stack(self, pc),
        .deadline = CS_NEVER,
    };
    cs_go(self);
    cs_complete_access(self, self->entry, address, size, op == CS_write || op == CS_volatile_write);
    self->inside = inside;
}

static void observe(struct cs_thread *self, bool writes, const void *address, uint32_t size, uint64_t pc)
{
    uint64_t at = (uint64_t)address;
    if ((at >= self->stack_low && at < self->stack_high)
        || cs_shared->result.entries >= cs_shared->entries.capacity / 2) {
        return;
    }
    uint64_t caller = self->caller;
    uint32_t last = self->entry;
    self->inside = true;
    self->caller = pc;
    struct cs_entry *entry = cs_record(self, writes ? CS_write : CS_read, address, 0);
    entry->flags = CS_OBSERVED | cs_memory_flag(at);
    entry->size = (uint8_t)size;
    cs_complete_access(self, self->entry, address, size, writes);
    self->caller = caller;
    self->entry = last;
    self->inside = false;
}

/* ---- many accesses in a row ---- */

static struct {
    uint64_t pc, address, value;
    uint32_t repeated;
} looked_at[LOOKED_AT];

/* Whether the thread reads the same values at the same places again and again, and writes nothing. */
static bool spins(uint64_t address, uint32_t size, bool writes, uint64_t pc)
{
    if (writes) {
        for (uint32_t n = 0; n < LOOKED_AT; n++) {
            looked_at[n].repeated = 0;
        }
        return false;
    }
    uint64_t value = cs_value_at(address, size);
    uint32_t slot = (uint32_t)((pc * 0x9e3779b97f4a7c15u) >> 40) % LOOKED_AT;
    if (looked_at[slot].pc == pc && looked_at[slot].address == address && looked_at[slot].value == value) {
        return ++looked_at[slot].repeated >= REPEATED;
    }
    looked_at[slot].pc = pc;
    looked_at[slot].address = address;
    looked_at[slot].value = value;
    looked_at[slot].repeated = 0;
    return false;
}

static void pause(struct cs_thread *self, const void *address, uint64_t pc, bool spinning)
{
    self->inside = true;
    self->caller = pc;
    self->next = (struct cs_announced){
        .op = CS_pause,
        .object = (uint64_t)address,
        .stack = cs_stack(self, pc),
        .deadline = CS_NEVER,
        .sleeps = spinning,
    };
    self->stale = spinning ? self->stale + 1 : 0;
    cs_go(self);
    for (uint32_t n = 0; n < LOOKED_AT; n++) {
        looked_at[n].repeated = 0;
    }
    self->inside = false;
}

/* ---- one access ---- */

static __attribute__((noinline)) void notice(struct cs_thread *self, const void *address, uint32_t size, uint8_t bits,
                                             uint64_t pc)
{
    bool writes = (bits & CS_MARK_WRITE) != 0;
    uint32_t shown = size < 255 ? size : 255;
    if (cs_plain_mode & CS_PLAIN_NEW) {
        begin();
    }
    cs_settle();
    /* Only there, as accesses take the long way for other reasons too, which must not change the schedule. */
    if ((self->plain & WINDOW_MASK) == WINDOW) {
        bool spinning = spins((uint64_t)address, shown, writes, pc);
        if (spinning || self->plain >= MOST_PLAIN) {
            pause(self, address, pc, spinning);
        }
    }
    if (cs_plain_mode & CS_PLAIN_WATCHED && writes) {
        cs_repetition_write(self, (uint64_t)address);
    }
    if (bits & CS_MARK_VOLATILE) {
        cs_plain_step(self, writes ? CS_volatile_write : CS_volatile_read, address, shown, pc);
        if (writes) {
            self->stale = 0;
        } else {
            cs_note_read(self, (uint64_t)address, cs_value_at((uint64_t)address, shown));
        }
    } else if (cs_is_site(pc)) {
        cs_plain_step(self, writes ? CS_write : CS_read, address, shown, pc);
    } else if (cs_plain_mode & CS_PLAIN_DETAIL) {
        observe(self, writes, address, shown, pc);
    }
    cs_check(self, (uint64_t)address, size, bits, pc);
}

/* Whether the thread has made such an access since it last released anything, and no other thread has since. */
static inline bool seen(const struct cs_thread *self, uint64_t address, uint8_t mask, uint8_t bits)
{
    uint64_t number = address >> CS_PAGE_BITS;
    const struct cs_recent *recent = &cs_recent[number % CS_RECENT];
    if (recent->number != number || recent->page == NULL) {
        return false;
    }
    const struct cs_mark *mark = &cs_marks[recent->page->cells[cs_cell(address)]];
    return mark->thread == self->number && mark->time == self->clock.time[self->number] && (mask & ~mark->mask) == 0
        && (mark->bits & (CS_MARK_ATOMIC | CS_MARK_WRITE)) >= bits && !(mark->bits & CS_MARK_ATOMIC);
}

static inline __attribute__((always_inline)) void access(const void *place, uint32_t size, uint8_t bits,
                                                         void *return_address)
{
    struct cs_thread *self = cs_self;
    if (self == NULL || self->inside) {
        return;
    }
    uint64_t address = (uint64_t)place, pc = (uint64_t)return_address;
    uint32_t first = address & 7;
    cs_shared->result.plain++;
    if (__builtin_expect((++self->plain & WINDOW_MASK) == WINDOW || cs_plain_mode != 0 || bits & CS_MARK_VOLATILE,
                         false)) {
        notice(self, place, size, bits, pc);
        return;
    }
    if (first + size <= 8
            ? seen(self, address, cs_mask(first, size), bits)
            : size == 16 && first == 0 && seen(self, address, 0xff, bits) && seen(self, address + 8, 0xff, bits)) {
        return;
    }
    cs_check(self, address, size, bits, pc);
}

#define HOOK(name, size, bits) \
    CS_PUBLIC void __tsan_##name##size(void *address); \
    CS_PUBLIC void __tsan_##name##size(void *address) { access(address, size, bits, __builtin_return_address(0)); }

/* A compound assignment in clang: the write stands for both. */
#define HOOKS(size) \
    HOOK(read, size, 0) \
    HOOK(write, size, CS_MARK_WRITE) \
    HOOK(read_write, size, CS_MARK_WRITE) \
    HOOK(unaligned_read, size, 0) \
    HOOK(unaligned_write, size, CS_MARK_WRITE) \
    HOOK(unaligned_read_write, size, CS_MARK_WRITE) \
    HOOK(volatile_read, size, CS_MARK_VOLATILE) \
    HOOK(volatile_write, size, CS_MARK_VOLATILE | CS_MARK_WRITE) \
    HOOK(unaligned_volatile_read, size, CS_MARK_VOLATILE) \
    HOOK(unaligned_volatile_write, size, CS_MARK_VOLATILE | CS_MARK_WRITE)

HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)

static void access_range(const void *address, uint64_t size, uint8_t bits, void *return_address)
{
    struct cs_thread *self = cs_self;
    if (self == NULL || self->inside || size == 0) {
        return;
    }
    cs_shared->result.plain++;
    self->plain++;
    notice(self, address, size < UINT32_MAX ? (uint32_t)size : UINT32_MAX, bits, (uint64_t)return_address);
}

CS_PUBLIC void __tsan_read_range(void *address, unsigned long size);
CS_PUBLIC void __tsan_read_range(void *address, unsigned long size)
{
    access_range(address, size, 0, __builtin_return_address(0));
}

CS_PUBLIC void __tsan_write_range(void *address, unsigned long size);
CS_PUBLIC void __tsan_write_range(void *address, unsigned long size)
{
    access_range(address, size, CS_MARK_WRITE, __builtin_return_address(0));
}

/* Constructors and destructors write the pointer that is there already: that is no access. */
CS_PUBLIC void __tsan_vptr_update(void **slot, void *value);
CS_PUBLIC void __tsan_vptr_update(void **slot, void *value)
{
    if (*slot != value) {
        access(slot, sizeof *slot, CS_MARK_WRITE, __builtin_return_address(0));
    }
}

CS_PUBLIC void __tsan_vptr_read(void **slot);
CS_PUBLIC void __tsan_vptr_read(void **slot) { access(slot, sizeof *slot, 0, __builtin_return_address(0)); }

CS_PUBLIC void __tsan_init(void);
CS_PUBLIC void __tsan_init(void) {}
