/* Which parts of the state are in use: memory that no transition has written so far is neither saved nor compared.
 *
 * In a program that may allocate much, or with large arrays, most of the state is never written. Pages of it that are
 * zero at first are write-protected; the first write to one is trapped, and the page counts from then on. So what is in
 * use only grows, and what is not is zero in all states. */

#ifndef __CSEQ_EXPLORER_EXTENT_H
#define __CSEQ_EXPLORER_EXTENT_H

#include <stdbool.h>
#include <stddef.h>

/* Offsets from the beginning of the state. */
struct cs_run {
    size_t from, to;
};

/* The parts in use, in order. Without cs_extent_begin this is all of the state. */
const struct cs_run *cs_extent(size_t *count);
size_t cs_extent_size(void);

/* Begin to watch what is in use, in the initial state. */
void cs_extent_begin(void);

/* Whether the invalid access to *address* was the first write to a page, which can now be repeated. */
bool cs_extent_grows(const void *address);

/* Save the current state, make a saved one the current one, and compare them. What is saved begins as zeros, with the
 * size of the state, and has been written by nothing else. */
void cs_state_take(char *to);
void cs_state_put(const char *from);
bool cs_state_is(const char *saved);

#endif
