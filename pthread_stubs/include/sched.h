#ifndef _CSEQ_SCHED_H
#define _CSEQ_SCHED_H
int sched_yield(void);
#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
struct sched_param { int sched_priority; };
#endif
