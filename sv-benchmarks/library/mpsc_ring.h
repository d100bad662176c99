/*
 * A bounded queue in an array, for any number of producers and one consumer.
 */
#ifndef MPSC_RING_H
#define MPSC_RING_H

#define RING_MOST 4

struct ring;

/* A ring for `size` values, from 1 to RING_MOST. */
struct ring *ring_new(int size);
void ring_free(struct ring *r);

/* Whether there was room for the value. */
int ring_push(struct ring *r, int value);

/* The oldest value, or -1 if the ring is empty. */
int ring_pop(struct ring *r);

#endif
