/* What every part of the runtime needs: the file that it shares with its client, memory, and the functions of libraries
 * that the runtime stands in for. No part of the runtime calls malloc.
 */
#ifndef CSEQ_BASE_H
#define CSEQ_BASE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record.h"

#define CS_NEVER UINT64_MAX
#define CS_HIDDEN __attribute__((visibility("hidden")))
#define CS_PUBLIC __attribute__((visibility("default")))

/* The runtime is compiled with -fvisibility=hidden; CS_PUBLIC is for what programs and libraries call. */

/* Whether the process is a run that we schedule (reals.c). */
extern bool cs_active CS_HIDDEN;

/* The shared file; NULL if the process runs without us. */
extern struct cs_shared *cs_shared CS_HIDDEN;

/* The entry with this number in the record. */
static inline struct cs_entry *cs_entry_at(uint32_t number)
{
    return (struct cs_entry *)((char *)cs_shared + cs_shared->entries.offset) + number;
}

/* Zeroed memory that is never given back; aligned for anything (arena.c). */
void *cs_allocate(size_t size);

/* ---- functions of libraries (reals.c) ---- */

/* A function that a library after us defines. All are looked up before the program begins: dlsym waits for a lock that
 * another thread may have while it runs the constructors of a library. */
struct cs_found {
    const char *name;
    void *address;
};

void cs_find_reals(void);
void *cs_real_of(struct cs_found *found);

#define CS_REAL(name) \
    (*({ \
        static struct cs_found found_ __attribute__((section("cs_reals"), used)) = {#name, NULL}; \
        (__typeof__(name) *)(found_.address != NULL ? found_.address : cs_real_of(&found_)); \
    }))

void *cs_real(const char *name);

/* The same in a static program, where there is no dynamic linker to ask; NULL in other programs. */
const void *cs_static_real(const char *name) __attribute__((weak));

#endif
