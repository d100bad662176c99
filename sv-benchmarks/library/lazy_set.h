/*
 * A set of integers as a sorted list, with a lock in each node; who only looks takes no lock.
 */
#ifndef LAZY_SET_H
#define LAZY_SET_H

struct set;

struct set *set_new(void);
void set_free(struct set *s);

/* Whether the key was not in the set.  Keys are between INT_MIN and INT_MAX. */
int set_add(struct set *s, int key);

/* Whether the key was in the set. */
int set_remove(struct set *s, int key);

/* Whether the key is in the set. */
int set_contains(struct set *s, int key);

#endif
