#ifndef _CSEQ_SCHED_H
#define _CSEQ_SCHED_H
int sched_yield(void);
#endif
