/* The blocks of the heap: see heap.h. One thread runs at a time, so nothing here is locked; a process that is no run,
 * or a thread that is not ours, does not come here. */
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "heap.h"
#include "objects.h"
#include "raw.h"
#include "scheduler.h"

#define HINT 0x100000000000ul
#define REGION (1ul << 38)
#define SMALL_REGION (1ul << 32) /* where the first is not to be had */
#define HEADER 16u
#define CLASSES 256
#define LARGE (1ul << 20)
#define QUARANTINE_BYTES (16ul << 20)
#define QUARANTINE_BLOCKS 4096u
#define LOOKED_AT 8 /* blocks of a list of free ones, for one that is aligned */

/* A place for blocks; it stays as large as it was made. */
struct slot {
    struct cs_block_info block;
    uint64_t capacity;
    uint32_t next; /* the next one in its list */
    uint32_t info; /* the number of its description in the shared file, from 1; 0: it has none */
    bool objects;  /* objects of the thread library have been in it */
};

uint64_t cs_heap_low, cs_heap_span;
uint8_t *cs_heap_shadow;
bool cs_heap_fresh;

static uint64_t region;    /* its size */
static struct slot *slots; /* from 1, by address */
static uint32_t slot_count, slot_capacity;
static uint32_t free_lists[CLASSES];
static uint32_t resting_first, resting_last, resting_count; /* the quarantine */
static uint32_t resting_of_class[CLASSES];
static uint64_t resting_bytes;
static enum { UNDECIDED, RESTS, AT_ONCE } reuse; /* what becomes of freed blocks */

static void *reserve(uint64_t hint, uint64_t size)
{
    long result =
        CS_SYSCALL6(SYS_mmap, hint, size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (hint != 0 ? MAP_FIXED_NOREPLACE : 0), -1, 0);
    return result < 0 && result > -4096 ? NULL : (void *)result;
}

void cs_begin_heap(void)
{
    region = REGION;
    void *low = reserve(HINT, region);
    if (low == NULL) {
        region = SMALL_REGION;
        low = reserve(0, region);
    }
    slot_capacity = (uint32_t)(region / 4096);
    slots = reserve(0, slot_capacity * sizeof *slots);
    cs_heap_shadow = reserve(0, region / CS_GRANULE);
    cs_heap_low = low == NULL || slots == NULL || cs_heap_shadow == NULL ? 0 : (uint64_t)low;
    if (cs_shared->request.flags & CS_KEEP_HEAP) {
        reuse = AT_ONCE;
    }
}

/* ---- sizes ---- */

/* Up to 1024 bytes in steps of 16, then four sizes between powers of two. */
static uint32_t class_of(uint64_t size)
{
    if (size <= 1024) {
        return (uint32_t)((size + 15) / 16);
    }
    uint32_t power = 63 - (uint32_t)__builtin_clzl(size - 1);
    return 65 + 4 * (power - 10) + (uint32_t)((size - 1) >> (power - 2) & 3);
}

static uint64_t capacity_of(uint32_t class)
{
    if (class <= 64) {
        return class == 0 ? 16 : 16ul * class;
    }
    uint32_t power = (class - 65) / 4 + 10;
    return (1ul << power) + ((class - 65) % 4 + 1) * (1ul << (power - 2));
}

/* ---- the shadow ---- */

static void allow(uint64_t address, uint64_t size)
{
    uint8_t *shadow = cs_heap_shadow + (address - cs_heap_low) / CS_GRANULE;
    uint64_t whole = size / CS_GRANULE;
    for (uint64_t n = 0; n < whole; n++) {
        shadow[n] = CS_GRANULE;
    }
    if (size % CS_GRANULE != 0) {
        shadow[whole] = (uint8_t)(size % CS_GRANULE);
    }
}

static void forbid(uint64_t address, uint64_t size)
{
    uint8_t *shadow = cs_heap_shadow + (address - cs_heap_low) / CS_GRANULE;
    for (uint64_t n = 0; n < (size + CS_GRANULE - 1) / CS_GRANULE; n++) {
        shadow[n] = 0;
    }
}

bool cs_heap_bad_range(uint64_t address, uint64_t size)
{
    uint64_t offset = address - cs_heap_low, end = offset + size;
    if (end > cs_heap_span) {
        return true;
    }
    for (uint64_t granule = offset / CS_GRANULE; granule * CS_GRANULE < end; granule++) {
        uint64_t needed = end - granule * CS_GRANULE;
        if (cs_heap_shadow[granule] < (needed < CS_GRANULE ? needed : CS_GRANULE)) {
            return true;
        }
    }
    return false;
}

/* ---- slots ---- */

/* The last slot that begins at or before the address, its header included; 0 if there is none. */
static uint32_t slot_at(uint64_t address)
{
    uint32_t low = 0, high = slot_count;
    while (low < high) {
        uint32_t middle = low + (high - low + 1) / 2;
        if (slots[middle].block.address - HEADER <= address) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

static uint32_t slot_of(const void *block)
{
    uint64_t address = (uint64_t)block;
    uint64_t number =
        address % CS_GRANULE == 0 && address - cs_heap_low >= HEADER ? *(const uint64_t *)(address - HEADER) : 0;
    if (number == 0 || number > slot_count || slots[number].block.address != address) {
        number = slot_at(address); /* something else has been written there */
        return number != 0 && slots[number].block.address == address ? (uint32_t)number : 0;
    }
    return (uint32_t)number;
}

static uint32_t new_slot(uint64_t capacity, uint64_t alignment)
{
    uint64_t address = cs_heap_low + cs_heap_span + HEADER;
    address = (address + alignment - 1) & ~(alignment - 1);
    uint64_t end = address - cs_heap_low + capacity;
    if (end + HEADER > region || slot_count + 1 >= slot_capacity) {
        return 0;
    }
    uint32_t number = ++slot_count;
    slots[number].block.address = address;
    slots[number].capacity = capacity;
    *(uint64_t *)(address - HEADER) = number;
    cs_heap_span = end;
    return number;
}

static uint32_t take_free(uint32_t class, uint64_t alignment)
{
    uint32_t *link = &free_lists[class];
    for (uint32_t n = 0; n < LOOKED_AT && *link != 0; n++) {
        struct slot *slot = &slots[*link];
        if ((slot->block.address & (alignment - 1)) == 0) {
            uint32_t number = *link;
            *link = slot->next;
            *(uint64_t *)(slot->block.address - HEADER) = number;
            return number;
        }
        link = &slot->next;
    }
    return 0;
}

/* ---- the quarantine ---- */

static void release_first(void)
{
    uint32_t number = resting_first;
    struct slot *slot = &slots[number];
    uint32_t class = class_of(slot->capacity);
    resting_first = slot->next;
    resting_count--;
    resting_bytes -= slot->capacity;
    resting_of_class[class]--;
    slot->next = free_lists[class];
    free_lists[class] = number;
    if (slot->capacity >= LARGE) {
        uint64_t from = (slot->block.address + 4095) & ~4095ul;
        uint64_t to = (slot->block.address + slot->capacity) & ~4095ul;
        CS_SYSCALL3(SYS_madvise, from, to - from, MADV_DONTNEED);
    }
}

static void rest(uint32_t number)
{
    struct slot *slot = &slots[number];
    slot->next = 0;
    if (resting_count == 0) {
        resting_first = number;
    } else {
        slots[resting_last].next = number;
    }
    resting_last = number;
    resting_count++;
    resting_bytes += slot->capacity;
    resting_of_class[class_of(slot->capacity)]++;
    while (resting_count > 0
           && (reuse == AT_ONCE || resting_count > QUARANTINE_BLOCKS || resting_bytes > QUARANTINE_BYTES)) {
        release_first();
    }
}

/* Some bugs need an address that is used again, and others one that is not: a choice of each run, made when it matters
 * for the first time. In an exhaustive search it matters once a pointer may have been compared: what uses the old block
 * is found in quarantine. */
static bool compared; /* a compare-exchange that is as large as a pointer was executed */

static void decide(void)
{
    static const uint16_t options[] = {0, 1};
    bool only = (cs_shared->request.flags & CS_SLEEP_SETS) != 0 && !compared;
    reuse = (only ? cs_choose_first(CS_CHOICE_HEAP) : cs_choose(CS_CHOICE_HEAP, options, 2)) != 0 ? AT_ONCE : RESTS;
    if (reuse == RESTS && compared) {
        cs_shared->result.world |= CS_WORLD_REUSED;
    }
    while (reuse == AT_ONCE && resting_count > 0) {
        release_first();
    }
}

void cs_heap_compared(void)
{
    compared = true;
    if (reuse == RESTS) {
        cs_shared->result.world |= CS_WORLD_REUSED;
    }
}

/* ---- descriptions ---- */

static void describe(struct slot *slot)
{
    struct cs_shared *shared = cs_shared;
    if (slot->info != 0) {
        ((struct cs_block_info *)((char *)shared + shared->blocks.offset))[slot->info - 1] = slot->block;
    }
}

static void describe_new(struct slot *slot)
{
    struct cs_shared *shared = cs_shared;
    slot->info = 0;
    if ((shared->request.flags & CS_DETAIL) != 0 && shared->result.blocks < shared->blocks.capacity) {
        slot->info = ++shared->result.blocks;
        describe(slot);
    }
}

void cs_heap_object(uint64_t address)
{
    struct cs_thread *self = cs_self;
    uint32_t number = cs_in_heap(address) ? slot_at(address) : 0;
    if (number != 0) {
        slots[number].objects = true;
        if (self != NULL && cs_heap_bad(address, 1)) {
            cs_bad_access(self, address, 1, CS_ACCESS_WRITE, cs_caller(self));
        }
    }
}

/* ---- what is wrong ---- */

static _Noreturn void wrong(enum cs_end end, uint64_t address, int detail, uint64_t other)
{
    cs_end(end, detail, (const void *)address, other, NULL);
}

void cs_bad_access(struct cs_thread *self, uint64_t address, uint32_t size, enum cs_access_kind kind, uint64_t pc)
{
    self->inside = true;
    cs_called_from(self, (void *)pc);
    for (uint32_t n = 0; n < size; n++) { /* the first byte that is wrong */
        if (cs_heap_bad(address + n, 1)) {
            address += n;
            break;
        }
    }
    uint32_t number = slot_at(address);
    if (number > 1 && address < slots[number].block.address) {
        const struct slot *before = &slots[number - 1];
        number -= before->block.address + before->capacity + HEADER > address;
    }
    const struct cs_block_info *block = &slots[number].block;
    bool inside = address >= block->address && address < block->address + block->size;
    if (number != 0 && block->state == 2 && inside) {
        wrong(CS_END_use_after_free, address, (int)kind, block->freed);
    }
    wrong(CS_END_overflow, address, (int)kind, number != 0 ? block->address : 0);
}

/* ---- blocks ---- */

/* For a record with details: when a block came and went. It is no switch point. */
static void note(struct cs_thread *self, enum cs_op op, const struct cs_block_info *block)
{
    struct cs_shared *shared = cs_shared;
    if ((shared->request.flags & CS_DETAIL) != 0 && shared->result.entries < shared->entries.capacity / 2) {
        uint32_t last = self->entry;
        cs_record(self, op, (const void *)block->address, block->size)->flags = CS_OBSERVED;
        self->entry = last;
    }
}

void *cs_heap_allocate(struct cs_thread *self, uint64_t size, uint64_t alignment, const void *place)
{
    if (size > region / 2 || cs_heap_low == 0) {
        errno = ENOMEM;
        return NULL;
    }
    uint32_t class = class_of(size);
    cs_called_from(self, (void *)place);
    if (resting_of_class[class] > 0 && reuse == UNDECIDED) {
        decide();
    }
    uint32_t number = take_free(class, alignment);
    cs_heap_fresh = number == 0;
    if (number == 0) {
        number = new_slot(capacity_of(class), alignment < CS_GRANULE ? CS_GRANULE : alignment);
    }
    if (number == 0) {
        errno = ENOMEM;
        return NULL;
    }
    struct slot *slot = &slots[number];
    slot->block = (struct cs_block_info){
        .address = slot->block.address,
        .size = size,
        .allocated = cs_stack(self, (uint64_t)place),
        .thread = (uint16_t)self->number,
        .state = 1,
    };
    allow(slot->block.address, size);
    describe_new(slot);
    note(self, CS_allocate, &slot->block);
    return (void *)slot->block.address;
}

uint64_t cs_heap_freed(struct cs_thread *self, const void *given, const void *place)
{
    uint32_t number = slot_of(given);
    const struct slot *slot = &slots[number];
    cs_called_from(self, (void *)place);
    if (number == 0) {
        wrong(CS_END_invalid_free, (uint64_t)given, 0, 0);
    }
    if (slot->block.state == 2) {
        wrong(CS_END_double_free, (uint64_t)given, 0, slot->block.freed);
    }
    return slot->block.size;
}

void cs_heap_free(struct cs_thread *self, const void *given, const void *place)
{
    uint32_t number = slot_of(given);
    struct slot *slot = &slots[number];
    note(self, CS_free, &slot->block);
    if (slot->objects) {
        cs_forget_objects(slot->block.address, slot->block.address + slot->block.size);
        slot->objects = false;
    }
    forbid(slot->block.address, slot->block.size);
    slot->block.state = 2;
    slot->block.freed = cs_stack(self, (uint64_t)place);
    slot->block.freeing_thread = (uint16_t)self->number;
    describe(slot);
    rest(number);
}

uint64_t cs_heap_size(const void *block)
{
    uint32_t number = slot_of(block);
    return number != 0 ? slots[number].block.size : 0;
}
