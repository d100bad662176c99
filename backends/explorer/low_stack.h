/* A stack that programs of 32 bits can point to. */

#ifndef __CSEQ_EXPLORER_LOW_STACK_H
#define __CSEQ_EXPLORER_LOW_STACK_H

/* The result of *function* for *words*, called on a stack below 4 GB where the system has such memory. */
int cs_on_low_stack(int (*function)(char **words), char **words);

#endif
