/*
 * A point on the plane that one thread sets and others read, without a lock: a sequence lock.
 */
#ifndef SEQLOCK_H
#define SEQLOCK_H

struct point;

struct point *point_new(void);
void point_free(struct point *p);

/* By one thread at a time. */
void point_set(struct point *p, int x, int y);

/* By anybody. */
void point_get(struct point *p, int *x, int *y);

#endif
