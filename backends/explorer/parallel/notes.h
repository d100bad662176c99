/* Texts that processes note about a search that they share: each with the moment at which it was first noted. */

#ifndef __CSEQ_EXPLORER_NOTES_H
#define __CSEQ_EXPLORER_NOTES_H

#include "../step.h"
#include "table.h"

enum cs_noting { CS_CUTS, CS_COARSE, CS_LIMITS, CS_NOTINGS };
enum { CS_MOST_TEXTS = sizeof((struct cs_texts *)0)->text / sizeof(const char *) };

/* During which attempt, at which depth, and at which rank. */
struct cs_moment {
    uint64_t attempt, depth, rank;
};

/* Shared: those of one process. Begins as zeros. */
struct cs_notes {
    unsigned int count[CS_NOTINGS];
    struct cs_noted {
        struct cs_moment when;
        const char *text;
    } noted[CS_NOTINGS][CS_MOST_TEXTS];
    char *room, *end; /* for texts */
};

/* Note a text that this process has not noted; false where there is no memory. */
bool cs_publish(struct cs_notes *notes, struct cs_table *table, enum cs_noting what, struct cs_moment now,
                const char *text);

/* The table is about to be emptied: keep the texts elsewhere, where only this process sees them. */
void cs_keep_notes(struct cs_notes *notes);

/* Add what all processes have noted, in the order in which one would have noted it: until *last*, where that is not
 * null. */
void cs_gather(const struct cs_notes *notes, unsigned int processes, enum cs_noting what, const struct cs_moment *last,
               struct cs_texts *texts);

#endif
