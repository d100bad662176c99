/* What is known of the objects of the thread library, by address. */
#include <string.h>

#include "heap.h"
#include "objects.h"

static struct cs_object **table;
static uint32_t capacity, used;

static uint32_t slot_of(uint64_t address) { return (uint32_t)((address * 0x9e3779b97f4a7c15u) >> 32) & (capacity - 1); }

static void insert(struct cs_object *object)
{
    uint32_t slot = slot_of(object->address);
    while (table[slot] != NULL) {
        slot = (slot + 1) & (capacity - 1);
    }
    table[slot] = object;
}

static void grow(void)
{
    struct cs_object **before = table;
    uint32_t count = capacity;
    capacity = capacity == 0 ? 256 : 2 * capacity;
    table = cs_allocate(capacity * sizeof *table);
    for (uint32_t slot = 0; slot < count; slot++) {
        if (before[slot] != NULL) {
            insert(before[slot]);
        }
    }
}

struct cs_object *cs_known_object(const void *address)
{
    if (capacity == 0) {
        return NULL;
    }
    for (uint32_t slot = slot_of((uint64_t)address);; slot = (slot + 1) & (capacity - 1)) {
        if (table[slot] == NULL || table[slot]->address == (uint64_t)address) {
            return table[slot];
        }
    }
}

struct cs_object *cs_object(enum cs_kind kind, const void *address)
{
    struct cs_object *found = cs_known_object(address);
    if (found == NULL) {
        if (2 * used >= capacity) {
            grow();
        }
        found = cs_allocate(sizeof *found);
        found->address = (uint64_t)address;
        insert(found);
        used++;
    }
    if (found->kind != kind) { /* the memory is used for something else now */
        uint32_t generation = found->generation;
        memset(found, 0, sizeof *found);
        found->address = (uint64_t)address;
        found->kind = kind;
        found->generation = generation + 1;
        cs_heap_object((uint64_t)address);
    }
    return found;
}

void cs_forget_objects(uint64_t low, uint64_t high)
{
    for (uint32_t slot = 0; slot < capacity; slot++) {
        struct cs_object *object = table[slot];
        if (object != NULL) {
            uint64_t address = object->address & ~CS_ANNOTATED;
            if (address >= low && address < high) {
                object->kind = CS_KIND_NONE;
            }
        }
    }
}
