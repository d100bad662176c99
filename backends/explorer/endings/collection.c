/* The values of an object at an assertion, each of them once. */

#include "endings.h"

#include <stdlib.h>
#include <string.h>

#include "../pack.h"
#include "../step.h"
#include "../way.h"

size_t cs_collected_size(void) { return __CSEQ_collected ? (size_t)__CSEQ_collected->size : 0; }

static size_t slot_of(const struct cs_collection *collection, const unsigned char *value, size_t size)
{
    size_t slot = cs_hash(value, size) & (collection->slots - 1);

    while (collection->table[slot]
           && memcmp(collection->values + (collection->table[slot] - 1) * size, value, size) != 0)
        slot = (slot + 1) & (collection->slots - 1);
    return slot;
}

static void widen(struct cs_collection *collection, size_t size)
{
    collection->slots = collection->slots ? collection->slots * 2 : 256;
    free(collection->table);
    collection->table = cs_allocate(collection->slots * sizeof *collection->table);
    for (size_t i = 0; i < collection->count; i++)
        collection->table[slot_of(collection, collection->values + i * size, size)] = i + 1;
}

void cs_collect(struct cs_collection *collection)
{
    size_t size = cs_collected_size(), slot;
    unsigned char *value = (unsigned char *)(uintptr_t)__CSEQ_collected->at;

    if (collection->count * 2 >= collection->slots)
        widen(collection, size);
    slot = slot_of(collection, value, size);
    if (collection->table[slot])
        return;
    collection->values = cs_enough_room(collection->values, collection->count + 1, &collection->room, size);
    memcpy(collection->values + collection->count * size, value, size);
    collection->table[slot] = ++collection->count;
}
