/*
 * A point on the plane that is read without a lock: a sequence lock.
 */
#ifndef SEQLOCK_H
#define SEQLOCK_H

struct point;

struct point *point_new(void);
void point_free(struct point *p);

void point_set(struct point *p, int x, int y);
void point_get(struct point *p, int *x, int *y);

#endif
