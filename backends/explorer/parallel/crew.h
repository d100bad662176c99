/* Processes that share memory and do what one of them, the leader, orders.
 *
 * They are processes, and not threads, since the state of a program lies at fixed addresses: each of them has its own.
 * What they share was mapped before they were made, so it has the same address in all of them. */

#ifndef __CSEQ_EXPLORER_CREW_H
#define __CSEQ_EXPLORER_CREW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { CS_MOST_WORKERS = 256, CS_LINE = 64 /* bytes of a cache line, about */ };

/* Memory that processes made later share, all zeros; takes up only what is written. Null where there is none. */
void *cs_shared_new(size_t size);
void cs_shared_free(void *at, size_t size);

/* Make a part of it zeros again, and give it back. */
void cs_shared_clear(void *at, size_t size);

/* Take the memory for a part of it now, at once. */
void cs_shared_populate(void *at, size_t size);

/* Shared. Begins as zeros. */
struct cs_crew {
    _Alignas(CS_LINE) uint32_t orders; /* so many were given */
    uint32_t order;                    /* the last one */
    _Alignas(CS_LINE) uint32_t busy;   /* workers that have not carried it out */
};

/* The leader's own. */
struct cs_staff {
    struct cs_crew *crew;
    unsigned int count;
    pid_t workers[CS_MOST_WORKERS];
    const char *lost; /* why a worker is no longer there, or null */
    bool out_of_memory;
};

/* Make a process; 0 in the new one, which ends with its maker, says nothing on standard output, and has its own clock
 * for transitions. -1 where there can be no more. */
pid_t cs_fork(void);

/* Make *count* workers, or as many as there can be. Each calls *work* with the argument and its number, from 1 on. */
void cs_hire(struct cs_staff *staff, unsigned int count, void (*work)(void *argument, unsigned int number),
             void *argument);

/* Give an order; wait until all have carried it out. False where a worker is lost: see *lost*. */
void cs_order(struct cs_staff *staff, uint32_t order);
bool cs_wait(struct cs_staff *staff);

/* End the workers, whatever they do. */
void cs_dismiss(struct cs_staff *staff);

/* Of a worker: wait for the order after the last one it took; say that it has been carried out. */
uint32_t cs_take_order(struct cs_crew *crew, uint32_t *taken);
void cs_carried_out(struct cs_crew *crew);

/* Wait for a process that was made, as waitpid. Null where it goes on; otherwise how it ended, in words. */
const char *cs_has_ended(pid_t process, bool *out_of_memory);
void cs_kill(pid_t process);

/* CPU time of a process in seconds; 0 where it has ended. */
double cs_cpu_seconds(pid_t process);

#endif
