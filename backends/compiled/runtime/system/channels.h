/* Descriptors through which threads of the program talk to each other, or to the world outside. */
#ifndef CSEQ_CHANNELS_H
#define CSEQ_CHANNELS_H

#include "scheduler.h"

/* What a thread waits for, if it waits for descriptors or processes: the subject of its predicate begins with it. */
struct cs_awaited {
    bool outside; /* others than the program's threads can make it come */
};

/* Whether only the program's own threads can make the descriptor ready. */
bool cs_descriptor_inside(int descriptor);
/* Who reads from a descriptor goes on after who wrote to it, or closed it. -1: any descriptor. */
void cs_channel_release(struct cs_thread *self, int descriptor);
void cs_channel_acquire(struct cs_thread *self, int descriptor);
/* Descriptors have been handed to another process. */
void cs_channels_shared(void);
/* Whether operations on the descriptor can wait, and others notice them: it is no plain file. */
bool cs_descriptor_talks(int descriptor);

/* Announce a call on a descriptor, and wait until it does not have to wait. False if no thread would notice it. */
bool cs_await_descriptor(int descriptor, short events, bool waits);

/* cs_block for something outside: as long as no other thread can go on, the process waits for it. */
bool cs_block_awaiting(uint64_t object, int descriptor, cs_ready ready, struct cs_awaited *subject, uint64_t deadline);

#endif
