/* What the model for SPIN and the functions that it calls promise each other. SPIN's program defines the variables. */

#ifndef __CSEQ_EXPLORER_MODEL_H
#define __CSEQ_EXPLORER_MODEL_H

#include "expand.h"

/* What the model keeps beside the state. In the last mode the search ends. */
enum cs_mode { CS_GOES_ON, CS_HAS_ENDED, CS_IS_GIVEN_UP, CS_IS_BAD };

extern const unsigned int cs_model_options; /* how many there are for each thread */
extern const int cs_model_check;            /* an enum cs_check */
extern const int cs_model_reduce;           /* whether to take several transitions at once */
extern const int cs_model_lively;           /* whether it is infinite executions that count */

/* Whether *process*, of which there is one for each thread, has a transition with this number, from 0, in the current
 * state. */
int cs_model_has(unsigned int process, unsigned int option);

/* Whether the thread stands at a label of this kind after it. */
int cs_model_stands(unsigned int process, unsigned int option, unsigned int label);

/* Make it; returns an enum cs_mode. replayed: whether this follows a trail, so that what happens is printed. */
int cs_model_takes(unsigned int process, unsigned int option, int replayed);

/* Whether the proposition holds; whether all threads have ended. */
int cs_model_holds(unsigned int number);
int cs_model_has_ended(void);

#endif
