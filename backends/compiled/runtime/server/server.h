/* The beginning of runs, and the wait for their end. */
#ifndef CSEQ_SERVER_H
#define CSEQ_SERVER_H

#include "base.h"

void cs_begin_run(void); /* server.c */

/* Wait for the run; kill it, with all that it has started, when its time is up (-1: never). Returns whether it was in
 * time. status: as of waitpid (reaping.c). */
bool cs_await_run(int run, int milliseconds, int output, int requests, int *status);
uint64_t cs_real_time(void); /* nanoseconds */

bool cs_map_shared(int file); /* alone.c: closes the file; false if it is none of a client's */
void cs_without_server(int count, char *const *arguments);

#endif
