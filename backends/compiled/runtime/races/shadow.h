/* The shadow of the program's memory: for each 8 bytes a list of the accesses that later ones can race with. */
#ifndef CSEQ_SHADOW_H
#define CSEQ_SHADOW_H

#include "races.h"

/* What a mark says of an access. */
enum cs_mark_bit { CS_MARK_WRITE = 1, CS_MARK_ATOMIC = 2, CS_MARK_FREE = 4, CS_MARK_VOLATILE = 8 };

#define CS_NOBODY 0xffff /* the thread of mark 0, which is none */

/* An access to some of the bytes of a cell. */
struct cs_mark {
    uint32_t time; /* of its thread's clock */
    uint32_t stack, entry;
    uint32_t next; /* in the list of the cell */
    uint16_t thread;
    uint8_t mask; /* the bytes */
    uint8_t bits; /* enum cs_mark_bit */
};

#define CS_PAGE_BITS 12
#define CS_PAGE_CELLS (1 << (CS_PAGE_BITS - 3))

/* An address that atomic operations have been used on. */
struct cs_location {
    uint64_t address;
    struct cs_location *next;   /* in the same cell */
    uint8_t size;               /* of the largest operation */
    bool mixed;                 /* operations of different sizes overlap */
    uint16_t failed;            /* 1 + the thread whose weak compare-exchange failed last, if it was spurious */
    struct cs_clock clock;      /* what the last value hands over to who acquires it */
    struct cs_history *history; /* weak.c */
};

struct cs_page {
    uint32_t cells[CS_PAGE_CELLS];  /* the first mark of the list; 0: none */
    struct cs_location **locations; /* of each cell; NULL where there are none */
};

#define CS_RECENT 64

struct cs_recent {
    uint64_t number;
    struct cs_page *page;
};

extern struct cs_recent cs_recent[CS_RECENT] CS_HIDDEN;
extern struct cs_mark *cs_marks CS_HIDDEN; /* by number; 0 is no mark */

/* The page of an address, made if there is none; NULL where there is no room. */
struct cs_page *cs_page_made(uint64_t address);
/* The page of an address, or NULL. */
struct cs_page *cs_page_known(uint64_t address);

static inline struct cs_page *cs_page(uint64_t address)
{
    uint64_t number = address >> CS_PAGE_BITS;
    const struct cs_recent *recent = &cs_recent[number % CS_RECENT];
    return recent->number == number && recent->page != NULL ? recent->page : cs_page_made(address);
}

static inline uint32_t cs_cell(uint64_t address) { return (uint32_t)(address >> 3) % CS_PAGE_CELLS; }

/* The bits of `size` bytes that begin at byte `first` of a cell. first + size <= 8, size > 0. */
static inline uint8_t cs_mask(uint32_t first, uint32_t size) { return (uint8_t)((0xffu >> (8 - size)) << first); }

/* A new mark with next 0, or 0 where there is no room; and back. */
uint32_t cs_mark_new(void);
void cs_mark_free(uint32_t mark);

/* A plain write to these bytes: the locations there hand over nothing any more, and have no older values. */
void cs_overwritten(struct cs_page *page, uint64_t address, uint32_t size);

/* The location at an address, made if there is none; NULL where there is no room. */
struct cs_location *cs_location(uint64_t address, uint32_t size);
/* The first location of the address's cell, or NULL. */
struct cs_location *cs_locations_near(uint64_t address);

/* An access, bits: enum cs_mark_bit. Reports races and accesses outside of the heap's blocks. */
void cs_check(struct cs_thread *self, uint64_t address, uint64_t size, uint8_t bits, uint64_t pc);
/* Record a race that `mark` is the first side of. */
void cs_race(struct cs_thread *self, const struct cs_mark *mark, uint64_t address, uint32_t size, uint8_t bits,
             uint64_t pc);

/* Races in this memory are not recorded. */
void cs_tolerate(uint64_t address, uint64_t size);

/* The flag of entries for memory in the stack of a thread, or 0. */
uint8_t cs_memory_flag(uint64_t address);

#endif
