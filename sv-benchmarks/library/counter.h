/*
 * A counter that several threads share.
 */
#ifndef COUNTER_H
#define COUNTER_H

/* The next number, from 0 on. */
int counter_next(void);

#endif
