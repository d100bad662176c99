#ifndef _CSEQ_SCHED_H
#define _CSEQ_SCHED_H
#ifndef _BITS_TYPES_STRUCT_SCHED_PARAM
#define _BITS_TYPES_STRUCT_SCHED_PARAM 1
struct sched_param { int sched_priority; };
#endif
#ifndef _BITS_CPU_SET_H
#define _BITS_CPU_SET_H 1
#define CPU_SETSIZE 1024
typedef struct { unsigned long __bits[CPU_SETSIZE / (8 * sizeof(long))]; } cpu_set_t;
#define CPU_ZERO(set) do { *(set) = (cpu_set_t) { { 0 } }; } while (0)
#define CPU_SET(cpu, set) ((set)->__bits[(cpu) / (8 * sizeof(long))] |= 1UL << (cpu) % (8 * sizeof(long)))
#define CPU_CLR(cpu, set) ((set)->__bits[(cpu) / (8 * sizeof(long))] &= ~(1UL << (cpu) % (8 * sizeof(long))))
#define CPU_ISSET(cpu, set) ((set)->__bits[(cpu) / (8 * sizeof(long))] >> (cpu) % (8 * sizeof(long)) & 1)
#endif
int sched_yield(void);
int sched_get_priority_max(int __policy);
int sched_get_priority_min(int __policy);
#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
#endif
