/* The outline of an execution.
 *
 * The outline is a text. Each line is one of
 *
 *     move THREADS SELDOM PLACE...  one of the threads, a set as a hexadecimal number, moves, and stands at one of the
 *                                   places then; 0: it has ended; none: at any. SELDOM is 1 where it may also have
 *                                   gone on without stopping, else 0
 *     ends violated TEXT            the claim with this text does not hold; without a text, any claim
 *     ends crash TEXT               the program crashes, by this signal
 *     ends invariant TEXT
 *     ends deadlock THREADS         these are stuck
 *     ends race THREADS
 *     ends repeated MOVE            the moves from this number on are repeated for ever; where there are none, the
 *                                   last state stays for ever
 *     ends reached                  the last state is what counts */

#ifndef __CSEQ_EXPLORER_OUTLINE_H
#define __CSEQ_EXPLORER_OUTLINE_H

#include <stdbool.h>
#include <stddef.h>

#include "../interface.h"

enum cs_end {
    CS_OUTLINE_VIOLATED,
    CS_OUTLINE_CRASHES,
    CS_OUTLINE_INVARIANT,
    CS_OUTLINE_DEADLOCK,
    CS_OUTLINE_RACE,
    CS_OUTLINE_REPEATED,
    CS_OUTLINE_REACHED,
    CS_OUTLINE_ENDS
};

struct cs_move {
    __CSEQ_set threads;
    bool seldom;
    unsigned int *places;
    size_t count;
};

struct cs_outline {
    struct cs_move *moves;
    size_t count, room, first; /* first: of those that are repeated */
    enum cs_end end;
    char *text;
    __CSEQ_set threads;
};

/* Read the outline in *text*, which is changed. False if it is none. */
bool cs_read_outline(struct cs_outline *outline, char *text);

/* How many moves are repeated. */
size_t cs_round_length(const struct cs_outline *outline);

/* The number in the outline of a move of the execution, which may have several rounds. */
size_t cs_move_number(const struct cs_outline *outline, size_t move);

#endif
