/* Two sides that work on the same question at the same time: breadth-first search, in the first process and those that
 * share it, and the other searches, in a process of their own. The first answer ends the other side. */

#ifndef __CSEQ_EXPLORER_RACE_H
#define __CSEQ_EXPLORER_RACE_H

#include "../result.h"
#include "layers.h"

enum cs_side { CS_NO_SIDE, CS_BREADTH_FIRST, CS_OTHER_SEARCHES };

struct cs_race;

/* Make the process of the other searches. This returns in both. Null where the system does not let us. */
struct cs_race *cs_race_begin(struct cs_engine *engine, const struct cs_options *options);
enum cs_side cs_race_side(const struct cs_race *race);

/* This side has the answer, or no other process is to have it any more: the other side is over. Does not return where
 * the other side has it; then this process ends, the first one when the answer has been printed. */
void cs_race_claim(struct cs_race *race);

/* The other side has the answer. */
bool cs_race_is_lost(const struct cs_race *race);

/* Whether the other searches still go on, from the first process. */
bool cs_race_has_others(const struct cs_race *race);

/* What the searches have done so far, by number, for the other side to see; breadth-first search is the first one. */
struct cs_share *cs_race_share(struct cs_race *race, unsigned int number);

/* What breadth-first search in layers has to know. memory: what the others may use, in bytes. */
struct cs_others cs_race_others(struct cs_race *race, size_t memory);

/* CPU time that the other side has used and that is not counted for this process otherwise, in seconds. */
double cs_race_cpu_seconds(const struct cs_race *race);

#endif
