/* The shadow of the program's memory: two levels of tables, made on demand. */
#include <string.h>
#include <sys/mman.h>

#include "atomics.h"
#include "raw.h"

#define LEAF_BITS 18
#define LEAVES (1ul << (47 - CS_PAGE_BITS - LEAF_BITS))
#define MOST_MARKS (1ul << 27)

/* The pages of 1 GB of addresses, and which of them there are. */
struct leaf {
    uint32_t low, high;
    struct cs_page *pages[1ul << LEAF_BITS];
};

struct cs_recent cs_recent[CS_RECENT];

static struct cs_mark none[1] = {{.thread = CS_NOBODY}};
struct cs_mark *cs_marks = none;

static struct leaf *leaves[LEAVES];
static uint32_t used_marks, most_marks, free_marks;
static struct cs_location *free_locations;

struct cs_page *cs_page_known(uint64_t address)
{
    uint64_t number = address >> CS_PAGE_BITS;
    struct leaf *leaf = number >> LEAF_BITS < LEAVES ? leaves[number >> LEAF_BITS] : NULL;
    return leaf != NULL ? leaf->pages[number % (1ul << LEAF_BITS)] : NULL;
}

struct cs_page *cs_page_made(uint64_t address)
{
    uint64_t number = address >> CS_PAGE_BITS;
    if (number >> LEAF_BITS >= LEAVES) {
        return NULL;
    }
    struct leaf **leaf = &leaves[number >> LEAF_BITS];
    if (*leaf == NULL) {
        *leaf = cs_allocate(sizeof **leaf);
        (*leaf)->low = UINT32_MAX;
    }
    uint32_t slot = (uint32_t)(number % (1ul << LEAF_BITS));
    struct cs_page **page = &(*leaf)->pages[slot];
    if (*page == NULL) {
        *page = cs_allocate(sizeof **page);
        (*leaf)->low = slot < (*leaf)->low ? slot : (*leaf)->low;
        (*leaf)->high = slot >= (*leaf)->high ? slot + 1 : (*leaf)->high;
    }
    cs_recent[number % CS_RECENT] = (struct cs_recent){.number = number, .page = *page};
    return *page;
}

/* ---- marks ---- */

static void begin_marks(void)
{
    most_marks = MOST_MARKS;
    long room;
    do {
        room = CS_SYSCALL6(SYS_mmap, 0, most_marks * sizeof *cs_marks, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        most_marks /= 2;
    } while (room < 0 && room > -4096 && most_marks > 1);
    if (room < 0 && room > -4096) {
        CS_SYSCALL1(SYS_exit_group, 125);
    }
    most_marks *= 2;
    cs_marks = (struct cs_mark *)room;
    cs_marks[0] = none[0];
    used_marks = 1;
}

uint32_t cs_mark_new(void)
{
    if (free_marks != 0) {
        uint32_t mark = free_marks;
        free_marks = cs_marks[mark].next;
        cs_marks[mark].next = 0;
        return mark;
    }
    if (most_marks == 0) {
        begin_marks();
    }
    return used_marks < most_marks ? used_marks++ : 0;
}

void cs_mark_free(uint32_t mark)
{
    cs_marks[mark].next = free_marks;
    free_marks = mark;
}

/* ---- locations of atomic operations ---- */

struct cs_location *cs_locations_near(uint64_t address)
{
    const struct cs_page *page = cs_page_known(address);
    return page != NULL && page->locations != NULL ? page->locations[cs_cell(address)] : NULL;
}

struct cs_location *cs_location(uint64_t address, uint32_t size)
{
    struct cs_page *page = cs_page(address);
    if (page == NULL) {
        return NULL;
    }
    if (page->locations == NULL) {
        page->locations = cs_allocate(CS_PAGE_CELLS * sizeof(struct cs_location *));
    }
    struct cs_location **first = &page->locations[cs_cell(address)];
    struct cs_location *location = *first;
    while (location != NULL && location->address != address) {
        location = location->next;
    }
    if (location == NULL) {
        location = free_locations;
        if (location != NULL) {
            free_locations = location->next;
        } else {
            location = cs_allocate(sizeof *location);
        }
        location->address = address;
        location->size = (uint8_t)size;
        location->mixed = false;
        location->failed = 0;
        location->next = *first;
        *first = location;
        for (struct cs_location *other = location->next; other != NULL; other = other->next) {
            if (other->address < address + size && address < other->address + other->size) {
                location->mixed = other->mixed = true;
            }
        }
    } else if (location->size != size) {
        location->mixed = true;
        location->size = location->size < size ? (uint8_t)size : location->size;
    }
    return location;
}

static bool overlaps(const struct cs_location *location, uint64_t low, uint64_t high)
{
    return location->address < high && location->address + location->size > low;
}

/* Nothing can be acquired there. */
static void void_location(struct cs_location *location)
{
    cs_clock_clear(&location->clock);
    if (location->history != NULL) {
        cs_history_clear(location->history);
    }
}

void cs_overwritten(struct cs_page *page, uint64_t address, uint32_t size)
{
    struct cs_location *location = page->locations[cs_cell(address)];
    for (; location != NULL; location = location->next) {
        if (overlaps(location, address, address + size)) {
            void_location(location);
        }
    }
}

static void forget_locations(struct cs_page *page, uint32_t cell, uint64_t low, uint64_t high)
{
    for (struct cs_location **link = &page->locations[cell]; *link != NULL;) {
        struct cs_location *location = *link;
        if (!overlaps(location, low, high)) {
            link = &location->next;
            continue;
        }
        *link = location->next;
        location->next = free_locations;
        free_locations = location;
        void_location(location);
    }
}

/* ---- ranges ---- */

/* Take the bytes of `mask` out of all marks of a cell. */
static void take_out(uint32_t *cell, uint8_t mask)
{
    uint32_t index;
    uint32_t *link = cell;
    while ((index = *link) != 0) {
        struct cs_mark *mark = &cs_marks[index];
        uint32_t next = mark->next;
        if ((mark->mask & (uint8_t)~mask) == 0) {
            *link = next;
            cs_mark_free(index);
        } else {
            mark->mask &= (uint8_t)~mask;
            link = &mark->next;
        }
    }
}

static void clear_cell(struct cs_page *page, uint64_t address, uint8_t mask)
{
    uint32_t *cell = &page->cells[cs_cell(address)];
    if (*cell != 0) {
        take_out(cell, mask);
    }
    if (page->locations != NULL) {
        uint32_t first = (uint32_t)__builtin_ctz(mask);
        uint64_t base = address & ~7ul;
        forget_locations(page, cs_cell(address), base + first, base + first + (uint32_t)__builtin_popcount(mask));
    }
}

/* The first address at or after this one whose page is there, or `end`. */
static uint64_t skip_missing(uint64_t address, uint64_t end)
{
    while (address < end) {
        uint64_t number = address >> CS_PAGE_BITS;
        const struct leaf *leaf = number >> LEAF_BITS < LEAVES ? leaves[number >> LEAF_BITS] : NULL;
        uint64_t slot = number % (1ul << LEAF_BITS), first = number - slot;
        if (leaf == NULL || slot >= leaf->high) {
            address = (first + (1ul << LEAF_BITS)) << CS_PAGE_BITS;
        } else if (slot < leaf->low) {
            address = (first + leaf->low) << CS_PAGE_BITS;
        } else if (leaf->pages[slot] == NULL) {
            address = (number + 1) << CS_PAGE_BITS;
        } else {
            return address;
        }
    }
    return end;
}

void cs_shadow_clear(uint64_t address, uint64_t size)
{
    uint64_t end = address + size;
    while ((address = skip_missing(address, end)) < end) {
        struct cs_page *page = cs_page_known(address);
        uint64_t page_end = (address | ((1ul << CS_PAGE_BITS) - 1)) + 1;
        uint64_t stop = page_end < end ? page_end : end;
        while (address < stop) {
            uint32_t first = address & 7;
            uint32_t count = stop - address < 8 - first ? (uint32_t)(stop - address) : 8 - first;
            clear_cell(page, address, cs_mask(first, count));
            address += count;
        }
    }
}
